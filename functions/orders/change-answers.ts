import * as z from 'zod';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { answers } from '../../shared/orders/answers/answer.ts';
import { changeAnswers } from '../../shared/orders/answers/change-answers.ts';
import { showOrder } from '../../shared/orders/read-orders.ts';
import { orderView } from '../../shared/orders/views.ts';
import { requireHeldSeats } from '../../shared/tickets/seats/find-seat.ts';

export const handler = endpoint(
  {
    route: 'PUT /api/orders/{id}/answers',
    summary: 'Change answers to the event’s questions',
    description: 'Until the event begins. Answers that the request does not name stay.',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the buyer',
    path: idPath('order'),
    body: z
      .object({ answers: answers.meta({ description: 'The changed answers' }) })
      .meta({ examples: [{ answers: [{ questionId: '7q2wk9xd', number: 1, value: 'vegetarian' }] }] }),
    response: z.object({ order: orderView }),
    errors: ['order-not-found', 'event-began', 'not-paid', 'refunded', 'moved'],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
  },
  async ({ caller, path, body }) => ({
    order: await showOrder(await changeAnswers(caller, path.id, body.answers, requireHeldSeats(caller))),
  }),
);
