import { auditInventory } from './inventory-audit.ts';
import { runAudit } from './run-audit.ts';

// npm run audit-inventory                         audits the table
// npm run audit-inventory -- --export <folder>    audits an export of the table

await runAudit(auditInventory, 'The inventory is consistent.');
