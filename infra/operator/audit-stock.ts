import { auditInventory } from './inventory-audit.ts';
import { runAudit } from './run-audit.ts';

// npm run audit-stock [-- --export <folder>]

await runAudit(auditInventory, 'The inventory is consistent.');
