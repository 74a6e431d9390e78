import { createHmac, randomUUID } from 'node:crypto';
import type { Configuration } from '../local/defaults.ts';
import { type DisputeStatus, isUndecided, type Payment, Records, type Refund } from './payments.ts';
import type { Provider, ProviderContext } from './provider.ts';
import type { Call, Handler, Reply } from './router.ts';

/** gateway-c: Stripe's Checkout Sessions. Requests are forms, and amounts are subunits. */
export function createGatewayC(
  { payments, checkoutUrl }: ProviderContext,
  settings: Configuration,
  file: string | undefined,
): Provider {
  const idempotent = makeIdempotent(new Records<StoredReply>('reply', file));
  const findPayment = (id = '') => payments.findByCode(id.replace(/^cs_test_/, ''));
  const toSession = (payment: Payment) => sessionView(payment, checkoutUrl(payment));

  return {
    key: settings.GATEWAY_C_SECRET_KEY,
    refuse,
    routes: {
      'POST /v1/checkout/sessions': idempotent(({ text }) => {
        const form = parseForm(text);
        const items = form.groups('line_items').map(lineItem);
        if (form.get('mode') !== 'payment' || !form.get('success_url') || items.length === 0) {
          return refuse(400, 'mode=payment, success_url and line_items are required');
        }
        const amount = items.reduce((sum, item) => sum + item.amount, 0);
        if (!(amount > 0)) return refuse(400, 'The total must be positive');
        const payment = payments.create({
          gateway: 'gateway-c',
          reference: form.get('client_reference_id') ?? randomUUID(),
          amount,
          currency: items[0]?.currency ?? 'usd',
          email: form.get('customer_email') ?? '',
          description: items.map(({ name }) => name).join(', '),
          returnUrl: form.get('success_url') ?? '',
          leaveUrl: form.get('cancel_url') ?? form.get('success_url') ?? '',
        });
        return { json: toSession(payment) };
      }),

      'GET /v1/checkout/sessions': ({ query }) => {
        const paymentIntent = query.get('payment_intent');
        const ownPayments = payments
          .list()
          .filter(
            ({ gateway, id }) => gateway === 'gateway-c' && (!paymentIntent || paymentIntent === `pi_${id}`),
          );
        return listPage(ownPayments.reverse().map(toSession), query);
      },

      'GET /v1/checkout/sessions/:id': ({ params }) => {
        const payment = findPayment(params.id);
        return payment
          ? { json: toSession(payment) }
          : refuse(404, `No such checkout.session: '${params.id}'`);
      },

      'POST /v1/checkout/sessions/:id/expire': ({ params }) => {
        const payment = findPayment(params.id);
        if (!payment) return refuse(404, `No such checkout.session: '${params.id}'`);
        if (payment.status === 'paid')
          return refuse(400, 'Only sessions with a status of open can be expired');
        return { json: toSession(payments.expire(payment)) };
      },

      'POST /v1/refunds': idempotent(({ text }) => {
        const form = parseForm(text);
        const payment = payments.findById(Number(form.get('payment_intent')?.replace(/^pi_/, '')));
        if (!payment) return refuse(404, 'No such payment_intent');
        const amount = form.get('amount');
        const note = form.group('metadata').get('refund');
        const refund = payments.refund(payment, amount ? Number(amount) : undefined, note);
        if (!refund) return refuse(400, 'Refund amount is greater than unrefunded amount on charge');
        return { json: refundView(refund) };
      }),

      'GET /v1/disputes': ({ query }) => {
        const payment = payments.findById(Number(query.get('payment_intent')?.replace(/^pi_/, '')));
        return listPage(payment?.dispute ? [disputeView(payment, payment.dispute)] : [], query);
      },

      'GET /v1/refunds': ({ query }) => {
        const payment = payments.findById(Number(query.get('payment_intent')?.replace(/^pi_/, '')));
        return listPage((payment?.refunds ?? []).toReversed().map(refundView), query);
      },
    },

    sign: (body) => {
      const time = Math.floor(Date.now() / 1000);
      const mac = createHmac('sha256', settings.GATEWAY_C_WEBHOOK_SECRET ?? '').update(`${time}.${body}`);
      return { 'stripe-signature': `t=${time},v1=${mac.digest('hex')}` };
    },
    paymentEvent: (payment, outcome) => ({
      id: `evt_${randomUUID()}`,
      object: 'event',
      type: outcome === 'paid' ? 'checkout.session.completed' : 'checkout.session.async_payment_failed',
      created: Math.floor(Date.now() / 1000),
      livemode: false,
      data: { object: toSession(payment) },
    }),
    reversalEvent: (payment, reversalKind) => ({
      id: `evt_${randomUUID()}`,
      object: 'event',
      ...reversalEvents[reversalKind](payment),
    }),
    returnUrl: ({ returnUrl, code }) => returnUrl.replaceAll('{CHECKOUT_SESSION_ID}', `cs_test_${code}`),
    decimalAmount: ({ amount, currency }) => {
      const format = new Intl.NumberFormat('en', { style: 'currency', currency });
      return amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
    },
  };
}

function lineItem(item: Form) {
  const price = item.group('price_data');
  return {
    amount: Number(price.get('unit_amount') ?? 0) * Number(item.get('quantity') ?? 1),
    currency: price.get('currency'),
    name: price.group('product_data').get('name') ?? '',
  };
}

function sessionView(payment: Payment, url: string) {
  const { code, id, reference, status, paid, email } = payment;
  return {
    id: `cs_test_${code}`,
    object: 'checkout.session',
    url: status === 'open' ? url : null,
    client_reference_id: reference,
    status: status === 'paid' ? 'complete' : status === 'expired' ? 'expired' : 'open',
    payment_status: status === 'paid' ? 'paid' : 'unpaid',
    payment_intent: `pi_${id}`,
    amount_total: paid?.amount ?? payment.amount,
    currency: (paid?.currency ?? payment.currency).toLowerCase(),
    customer_details: { email },
    mode: 'payment',
    livemode: false,
  };
}

function refundEvent({ id, amount }: Payment) {
  const object = { id: `ch_${id}`, payment_intent: `pi_${id}`, amount };
  return { type: 'charge.refunded', data: { object } };
}

function endedRefundEvent({ refunds }: Payment) {
  return { type: 'refund.updated', data: { object: refunds.map(refundView).at(-1) } };
}

function disputeEvent(payment: Payment) {
  const { dispute = 'lost' } = payment;
  const type = `charge.dispute.${isUndecided(dispute) ? 'created' : 'closed'}`;
  return { type, data: { object: disputeView(payment, dispute) } };
}

const reversalEvents = {
  refund: refundEvent,
  'ended-refund': endedRefundEvent,
  dispute: disputeEvent,
};

const disputeStatus = {
  inquiry: 'warning_needs_response',
  open: 'needs_response',
  lost: 'lost',
  won: 'won',
  blocked: 'prevented',
};
const caseTypes: Partial<Record<DisputeStatus, string>> = { inquiry: 'inquiry', blocked: 'block' };

function disputeView({ id, paid }: Payment, status: DisputeStatus) {
  return {
    id: `dp_${id}`,
    object: 'dispute',
    payment_intent: `pi_${id}`,
    amount: paid?.amount,
    status: disputeStatus[status],
    payment_method_details: {
      type: 'card',
      card: { case_type: caseTypes[status] ?? 'chargeback' },
    },
  };
}

const refundStatus = { pending: 'pending', done: 'succeeded', failed: 'failed' };

function refundView({ id, paymentId, amount, currency, note, status }: Refund) {
  return {
    id: `re_${id}`,
    object: 'refund',
    payment_intent: `pi_${paymentId}`,
    amount,
    currency: currency.toLowerCase(),
    metadata: note ? { refund: note } : {},
    status: refundStatus[status],
  };
}

/** Returns a page of a list. @param items the newest first */
function listPage(items: { id: string }[], query: URLSearchParams): Reply {
  const start = items.findIndex(({ id }) => id === query.get('starting_after')) + 1;
  const end = start + Math.min(Number(query.get('limit') ?? 10), 100);
  return { json: { object: 'list', data: items.slice(start, end), has_more: end < items.length } };
}

function refuse(status: number, message: string): Reply {
  return { status, json: { error: { type: 'invalid_request_error', message } } };
}

interface StoredReply {
  request: string;
  reply: Reply;
}

/** Returns the first reply to an Idempotency-Key again, and refuses another request with the same key. */
function makeIdempotent(replies: Records<StoredReply>): (handler: (call: Call) => Reply) => Handler {
  return (handler) => (call) => {
    const key = call.headers['idempotency-key']?.toString();
    if (!key) return handler(call);
    const stored = replies.get(key);
    if (stored && stored.request !== call.text) {
      return refuse(400, 'Keys for idempotent requests can only be used with the same parameters');
    }
    const reply = stored?.reply ?? handler(call);
    if (!stored) replies.set(key, { request: call.text, reply });
    return reply;
  };
}

/** A form with nested names, as Stripe's clients send it: `line_items[0][price_data][currency]=usd`. */
export class Form {
  readonly #fields: [path: string[], value: string][];

  constructor(fields: [string[], string][]) {
    this.#fields = fields;
  }

  get(name: string): string | undefined {
    return this.#fields.find(([path]) => path.length === 1 && path[0] === name)?.[1];
  }

  /** Returns the fields below a name. */
  group(name: string): Form {
    const fields = this.#fields.filter(([path]) => path.length > 1 && path[0] === name);
    return new Form(fields.map(([path, value]) => [path.slice(1), value]));
  }

  /** Returns the members of the list below a name. */
  groups(name: string): Form[] {
    const list = this.group(name);
    const members = new Set(list.#fields.flatMap(([path]) => path.slice(0, 1)));
    return [...members].map((member) => list.group(member));
  }
}

export function parseForm(text: string): Form {
  const fields = [...new URLSearchParams(text)];
  return new Form(fields.map(([name, value]) => [name.replaceAll(']', '').split('['), value]));
}
