import { auditLedger } from './ledger-audit.ts';
import { runAudit } from './run-audit.ts';

// npm run audit-ledger [-- --export <folder>]

await runAudit(auditLedger, 'The ledger is consistent.');
