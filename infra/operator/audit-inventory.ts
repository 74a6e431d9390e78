import { auditInventory } from './inventory-audit.ts';
import { runAudit } from './run-audit.ts';

// npm run audit-inventory [-- --export <folder>]

await runAudit(auditInventory, 'The inventory is consistent.');
