import * as z from 'zod';
import { auditEntryView, readAudit } from '../../shared/accounts/audit/read-audit.ts';
import { nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'GET /api/audit',
    summary: 'List the platform’s audit trail, newest first',
    description:
      'Records refunds, reissued tickets, changes of events and staff, contract bindings, KYC decisions, erasures, roles and payouts.',
    caller: 'admin',
    query: pageQuery,
    response: z.object({ entries: z.array(auditEntryView), nextCursor }),
    table: ['BatchGetItem'],
    indexes: ['byOwner'],
  },
  ({ query }) => readAudit(query),
);
