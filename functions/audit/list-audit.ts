import * as z from 'zod';
import { auditEntryView } from '../../shared/audit/audit-view.ts';
import { readAudit } from '../../shared/audit/read-audit.ts';
import { nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    summary: 'List who changed what, newest first',
    description: 'Refunds, staff, contract bindings, KYC decisions, roles and payouts of the whole platform.',
    caller: 'admin',
    query: pageQuery,
    response: z.object({ entries: z.array(auditEntryView), nextCursor }),
  },
  ({ query }) => readAudit(query),
);
