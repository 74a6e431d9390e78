import { auditLedger } from './ledger-audit.ts';
import { runAudit } from './run-audit.ts';

// npm run audit-ledger                         audits the table
// npm run audit-ledger -- --export <folder>    audits an export of the table

await runAudit(auditLedger, 'The ledger is consistent.');
