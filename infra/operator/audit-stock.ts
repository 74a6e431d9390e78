import { runAudit } from './run-audit.ts';
import { auditStock } from './stock-audit.ts';

// npm run audit-stock [-- --export <folder>]

await runAudit('The inventory is', auditStock);
