import * as z from 'zod';
import { auditEntryView } from '../../shared/audit/audit-view.ts';
import { readAudit } from '../../shared/audit/read-audit.ts';
import { nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    summary: 'List the platform’s audit trail, newest first',
    description:
      'Changes of refunds, tickets, events, staff, contract bindings, KYC decisions, personal data, roles and payouts.',
    caller: 'admin',
    query: pageQuery,
    response: z.object({ entries: z.array(auditEntryView), nextCursor }),
  },
  ({ query }) => readAudit(query),
);
