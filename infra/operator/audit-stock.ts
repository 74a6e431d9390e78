import { runAudit } from './run-audit.ts';
import { auditInventory } from './stock-audit.ts';

// npm run audit-stock [-- --export <folder>]

await runAudit('The inventory is', auditInventory);
