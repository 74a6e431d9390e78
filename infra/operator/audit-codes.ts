import { auditCodes } from './codes-audit.ts';
import { runAudit } from './run-audit.ts';

// npm run audit-codes [-- --export <folder>]
// Recounts the uses of discount and access codes from the orders, and prints the differences.

await runAudit(auditCodes, 'The uses of codes are consistent.');
