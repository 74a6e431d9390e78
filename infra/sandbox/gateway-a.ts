import { createHmac } from 'node:crypto';
import type { Configuration } from '../local/defaults.ts';
import { banks } from './banks.ts';
import { isUndecided, type Payment, type Refund, type Transfer } from './payments.ts';
import { type Provider, type ProviderContext, withQuery } from './provider.ts';
import type { Reply } from './router.ts';

/** gateway-a: Paystack's protocol. Amounts are subunits, which are hundredths in every currency. */
export function createGatewayA(
  { payments, transfers, checkoutUrl, startTransfer }: ProviderContext,
  settings: Configuration,
): Provider {
  return {
    key: settings.GATEWAY_A_SECRET,
    refuse,
    routes: {
      'POST /transaction/initialize': ({ body }) => {
        const { email, amount, currency = 'NGN', reference, callback_url: returnUrl = '', metadata } = body;
        if (typeof reference !== 'string' || !email) return refuse(400, 'Email and reference are required');
        if (!Number.isInteger(Number(amount)) || !(amount > 0)) return refuse(400, 'Invalid Amount Sent');
        if (payments.findByReference(reference)) return refuse(400, 'Duplicate Transaction Reference');
        const payment = payments.create({
          gateway: 'gateway-a',
          reference,
          amount: Number(amount),
          currency,
          email,
          description: metadata?.custom_fields?.[0]?.value ?? '',
          returnUrl,
          leaveUrl: metadata?.cancel_action ?? returnUrl,
        });
        const data = { authorization_url: checkoutUrl(payment), access_code: payment.code, reference };
        return accept('Authorization URL created', data);
      },

      'GET /transaction/verify/:reference': ({ params }) => {
        const payment = payments.findByReference(params.reference ?? '');
        if (payment?.gateway !== 'gateway-a') return refuse(404, 'Transaction reference not found');
        return accept('Verification successful', transaction(payment));
      },

      'POST /refund': ({ body }) => {
        const idOrReference = String(body.transaction ?? '');
        const payment = payments.findByReference(idOrReference) ?? payments.findById(Number(idOrReference));
        if (!payment) return refuse(404, 'Transaction not found');
        const refund = payments.refund(payment, body.amount && Number(body.amount), body.merchant_note);
        if (!refund) return refuse(400, 'Transaction has been fully reversed');
        return accept('Refund has been queued for processing', refundView(payment, refund));
      },

      'GET /refund': ({ query }) => {
        const idOrReference = query.get('transaction') ?? query.get('reference') ?? '';
        const payment = payments.findByReference(idOrReference) ?? payments.findById(Number(idOrReference));
        const refunds = payment ? payment.refunds.map((refund) => refundView(payment, refund)) : [];
        const perPage = Math.min(Number(query.get('perPage') ?? 50), 100);
        const page = Number(query.get('page') ?? 1);
        const pageCount = Math.ceil(refunds.length / perPage);
        const data = refunds.slice((page - 1) * perPage, page * perPage);
        const meta = { total: refunds.length, skipped: (page - 1) * perPage, perPage, page, pageCount };
        return { json: { status: true, message: 'Refunds retrieved', data, meta } };
      },

      'POST /transferrecipient': ({ body }) => {
        if (!body.account_number || !body.bank_code)
          return refuse(400, 'Account number and bank are required');
        const code = `RCP_${body.bank_code}_${body.account_number}`;
        return accept('Transfer recipient created successfully', { recipient_code: code, active: true }, 201);
      },

      'POST /transfer': ({ body }) => {
        const { reference, recipient, amount, currency = 'NGN' } = body;
        if (!reference || !String(recipient).startsWith('RCP_'))
          return refuse(400, 'Recipient specified is invalid');
        const newTransfer = {
          gateway: 'gateway-a' as const,
          reference,
          recipient,
          amount: Number(amount),
          currency,
        };
        const { transfer, isNew } = transfers.create(newTransfer);
        if (isNew) startTransfer(transfer);
        else if (transfer.status !== 'pending')
          return refuse(400, 'This reference has already been used on a prior transfer');
        return accept('Transfer has been queued', transferView(transfer));
      },

      'GET /transfer/verify/:reference': ({ params }) => {
        const transfer = transfers.find(params.reference ?? '');
        return transfer
          ? accept('Transfer retrieved', transferView(transfer))
          : refuse(404, 'Transfer not found');
      },

      'GET /bank': ({ query }) => {
        const currency = query.get('currency');
        const matchingBanks = banks.filter((bank) => !currency || bank.currency === currency);
        const perPage = Math.min(Number(query.get('perPage') ?? 50), 100);
        const start = query.get('use_cursor') === 'true' ? Number(query.get('next') ?? 0) : 0;
        const page = matchingBanks.slice(start, start + perPage).map((bank) => ({ ...bank, active: true }));
        const next = start + perPage < matchingBanks.length ? `${start + perPage}` : null;
        return { json: { status: true, message: 'Banks retrieved', data: page, meta: { next, perPage } } };
      },
    },

    sign: (body) => ({
      [settings.GATEWAY_A_SIGNATURE_HEADER || 'x-gateway-a-signature']: createHmac(
        'sha512',
        settings.GATEWAY_A_SECRET ?? '',
      )
        .update(body)
        .digest('hex'),
    }),
    paymentEvent: (payment, outcome) => ({
      event: outcome === 'paid' ? 'charge.success' : 'charge.failed',
      data: { ...transaction(payment), status: outcome === 'paid' ? 'success' : 'failed' },
    }),
    reversalEvent: (payment, reversalKind) =>
      reversalKind === 'dispute'
        ? disputeEvent(payment)
        : {
            event: 'refund.processed',
            data: {
              status: 'processed',
              transaction_reference: payment.reference,
              amount: `${payment.amount}`,
            },
          },
    transferEvent: (transfer) => ({
      event: transfer.status === 'succeeded' ? 'transfer.success' : 'transfer.failed',
      data: transferView(transfer),
    }),
    returnUrl: ({ returnUrl, reference }) => withQuery(returnUrl, { trxref: reference, reference }),
    decimalAmount: ({ amount }) => amount / 100,
  };
}

const transactionStatus = { open: 'abandoned', paid: 'success', declined: 'failed', expired: 'abandoned' };
const refundStatus = { pending: 'pending', done: 'processed', failed: 'failed' };
const transferStatus = { pending: 'pending', succeeded: 'success', failed: 'failed' };

function transaction(payment: Payment) {
  const { id, reference, status, paid, email, createdAt } = payment;
  return {
    id,
    status: transactionStatus[status],
    reference,
    amount: paid?.amount ?? payment.amount,
    requested_amount: payment.amount,
    currency: paid?.currency ?? payment.currency,
    channel: 'card',
    customer: { email },
    created_at: createdAt,
  };
}

/** The provider names the merchant's answer in `resolution`: `declined` for a dispute that the merchant has won. */
function disputeEvent(payment: Payment) {
  const dispute = { id: payment.id + 1, transaction: transaction(payment) };
  if (isUndecided(payment.dispute)) {
    const data = { ...dispute, status: 'awaiting-merchant-feedback', resolution: null };
    return { event: 'charge.dispute.create', data };
  }
  const resolution = payment.dispute === 'won' ? 'declined' : 'merchant-accepted';
  return { event: 'charge.dispute.resolve', data: { ...dispute, status: 'resolved', resolution } };
}

function refundView(payment: Payment, { id, amount, currency, note, status }: Refund) {
  return {
    id,
    transaction: payment.id,
    transaction_reference: payment.reference,
    amount,
    currency,
    merchant_note: note,
    status: refundStatus[status],
  };
}

function transferView({ id, providerStatus, status, ...transfer }: Transfer) {
  const { reference, recipient, amount, currency } = transfer;
  return {
    id,
    reference,
    recipient,
    amount,
    currency,
    status: providerStatus ?? transferStatus[status],
    transfer_code: `TRF_${id}`,
  };
}

function accept(message: string, data: object, status = 200): Reply {
  return { status, json: { status: true, message, data } };
}

function refuse(status: number, message: string): Reply {
  return { status, json: { status: false, message } };
}
