import { auditCodes } from './codes-audit.ts';
import { runAudit } from './run-audit.ts';

// npm run audit-codes [-- --export <folder>]

await runAudit('The uses of codes are', auditCodes);
