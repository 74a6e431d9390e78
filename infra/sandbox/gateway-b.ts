import type { Configuration } from '../local/defaults.ts';
import { banks } from './banks.ts';
import { isUndecided, type Payment, type Refund, type Transfer } from './payments.ts';
import { type Provider, type ProviderContext, withQuery } from './provider.ts';
import type { Reply } from './router.ts';

/** gateway-b: Flutterwave's v3 protocol. Amounts are major units. */
export function createGatewayB(
  { payments, transfers, checkoutUrl, startTransfer }: ProviderContext,
  settings: Configuration,
): Provider {
  const verificationReply = (payment: Payment | undefined) =>
    payment?.gateway === 'gateway-b' && payment.status !== 'open'
      ? accept('Transaction fetched successfully', transaction(payment))
      : refuse(400, 'No transaction was found for this id');

  return {
    key: settings.GATEWAY_B_SECRET_KEY,
    refuse,
    routes: {
      'POST /payments': ({ body }) => {
        const { tx_ref: reference, amount, currency = 'NGN', redirect_url: returnUrl = '', customer } = body;
        if (typeof reference !== 'string' || !customer?.email)
          return refuse(400, 'tx_ref and email are required');
        if (!(Number(amount) > 0)) return refuse(400, 'amount must be positive');
        const payment = payments.create({
          gateway: 'gateway-b',
          reference,
          amount: Number(amount),
          currency,
          email: customer.email,
          description: body.customizations?.title ?? '',
          returnUrl,
          leaveUrl: withQuery(returnUrl, { status: 'cancelled', tx_ref: reference }),
        });
        return accept('Hosted Link', { link: checkoutUrl(payment) });
      },

      'GET /transactions/verify_by_reference': ({ query }) =>
        verificationReply(payments.findByReference(query.get('tx_ref') ?? '')),
      'GET /transactions/:id/verify': ({ params }) => verificationReply(payments.findById(Number(params.id))),

      'POST /transactions/:id/refund': ({ params, body }) => {
        const payment = payments.findById(Number(params.id));
        const refund = payment && payments.refund(payment, body.amount && Number(body.amount), body.comments);
        if (!refund) return refuse(400, 'Refund amount is more than what is left of the transaction');
        return accept('Transaction refund initiated', refundView(refund));
      },

      'GET /refunds': ({ query }) => {
        const refunds = payments.findById(Number(query.get('id')))?.refunds ?? [];
        const page = Number(query.get('page') ?? 1);
        const total_pages = Math.ceil(refunds.length / pageSize);
        const page_info = { total: refunds.length, current_page: page, total_pages, page_size: pageSize };
        const data = refunds.slice((page - 1) * pageSize, page * pageSize).map(listedRefundView);
        return { json: { status: 'success', message: 'Refunds fetched', meta: { page_info }, data } };
      },

      'POST /transfers': ({ body }) => {
        const { reference, amount, currency = 'NGN', account_number: account, account_bank: bank } = body;
        if (!reference || !account || !bank) return refuse(400, 'reference, account and bank are required');
        const { transfer, isNew } = transfers.create({
          gateway: 'gateway-b',
          reference,
          recipient: `${bank}:${account}`,
          amount: Number(amount),
          currency,
        });
        if (isNew) startTransfer(transfer);
        else if (transfer.status !== 'pending') return refuse(400, 'Transfer reference already exists');
        return accept('Transfer Queued Successfully', transferView(transfer));
      },

      'GET /transfers': ({ query }) => {
        const transfer = transfers.find(query.get('reference') ?? '');
        return accept('Transfers fetched', transfer ? [transferView(transfer)] : []);
      },

      'GET /transfers/:id': ({ params }) => {
        const transfer = transfers.list().find(({ id }) => id === Number(params.id));
        return transfer
          ? accept('Transfer fetched', transferView(transfer))
          : refuse(400, 'Transfer not found');
      },

      'GET /banks/:country': ({ params }) => {
        const matchingBanks = banks.filter(({ country }) => country === params.country);
        return accept(
          'Banks fetched successfully',
          matchingBanks.map(({ id, code, name }) => ({ id, code, name })),
        );
      },
    },

    sign: () => ({ 'verif-hash': settings.GATEWAY_B_SECRET_HASH ?? '' }),
    paymentEvent: (payment, outcome) => ({
      event: outcome === 'paid' ? 'charge.completed' : 'charge.failed',
      data: { ...transaction(payment), status: outcome === 'paid' ? 'successful' : 'failed' },
    }),
    reversalEvent: (payment, reversalKind) =>
      reversalKind === 'dispute'
        ? {
            event: 'chargeback.update',
            data: { ...transaction(payment), status: chargebackStatus(payment) },
          }
        : { event: 'refund.completed', data: reportedRefundView(payment) },
    transferEvent: (transfer) => ({ event: 'transfer.completed', data: transferView(transfer) }),
    returnUrl: ({ returnUrl, reference, id }) =>
      withQuery(returnUrl, { status: 'successful', tx_ref: reference, transaction_id: `${id}` }),
    decimalAmount: ({ amount }) => amount,
  };
}

/** The size of a page in the provider's lists. */
const pageSize = 20;

const transactionStatus = { open: 'pending', paid: 'successful', declined: 'failed', expired: 'failed' };
const refundStatus = { pending: 'pending', done: 'completed', failed: 'failed' };
const transferStatus = { pending: 'NEW', succeeded: 'SUCCESSFUL', failed: 'FAILED' };

function chargebackStatus({ dispute }: Payment) {
  if (isUndecided(dispute)) return 'initiated';
  return dispute === 'won' ? 'won' : 'lost';
}

function transaction(payment: Payment) {
  const { id, reference, status, paid, email, createdAt } = payment;
  return {
    id,
    tx_ref: reference,
    status: transactionStatus[status],
    amount: paid?.amount ?? payment.amount,
    charged_amount: paid?.amount ?? payment.amount,
    currency: paid?.currency ?? payment.currency,
    customer: { email },
    created_at: createdAt,
  };
}

function refundView({ id, paymentId, amount, status }: Refund) {
  return { id, tx_id: paymentId, amount_refunded: amount, status: refundStatus[status] };
}

/** In lists, the provider names the payment differently. */
function listedRefundView(refund: Refund) {
  const { tx_id: transaction_id, ...view } = refundView(refund);
  return { ...view, transaction_id };
}

/** In webhooks, the provider names the fields in yet another way, and does not send the merchant's reference. */
function reportedRefundView({ id: TransactionId, refunds }: Payment) {
  const refund = refunds.at(-1);
  return (
    refund && {
      id: refund.id,
      TransactionId,
      AmountRefunded: refund.amount,
      status: refundStatus[refund.status],
    }
  );
}

function transferView({ id, reference, recipient, amount, currency, status }: Transfer) {
  const [bank_code, account_number] = recipient.split(':');
  return { id, reference, bank_code, account_number, amount, currency, status: transferStatus[status] };
}

function accept(message: string, data: object): Reply {
  return { json: { status: 'success', message, data } };
}

function refuse(status: number, message: string): Reply {
  return { status, json: { status: 'error', message, data: null } };
}
