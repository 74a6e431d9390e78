import { auditCodes } from './codes-audit.ts';
import { runAudit } from './run-audit.ts';

// npm run audit-codes                         audits the table
// npm run audit-codes -- --export <folder>    audits an export of the table
// Recounts the uses of discount and access codes from the orders, and prints the differences.

await runAudit(auditCodes, 'The uses of codes are consistent.');
