import type { Currency } from '../../core/money.ts';
import { toSubunits } from '../amounts.ts';
import { providerFailed } from '../provider-call.ts';
import type { TransferGateway } from '../transfer.ts';
import { callGatewayA, gatewayA } from './gateway.ts';
import { transferSignal } from './webhook.ts';

/** What the provider calls a bank account, by the currency it holds. */
const recipientTypes: Partial<Record<Currency, string>> = {
  NGN: 'nuban',
  GHS: 'ghipss',
  ZAR: 'basa',
  KES: 'kepss',
};

/** Transfers by gateway-a. */
export const transfersA: TransferGateway = {
  name: 'gateway-a',
  isConfigured: gatewayA.isConfigured,
  supports: (currency) => recipientTypes[currency] !== undefined,

  async transfer({ reference, amount, currency, destination }) {
    // The same account gets the same recipient again, so that repeating this leaves nothing behind.
    const recipient = await callGatewayA('POST', '/transferrecipient', {
      body: {
        type: recipientTypes[currency],
        name: destination.accountName,
        account_number: destination.accountNumber,
        bank_code: destination.bankCode,
        currency,
      },
    });
    const code = recipient.body.data?.recipient_code;
    if (!recipient.ok || typeof code !== 'string') throw providerFailed(`recipient: ${recipient.status}`);
    const { ok, status } = await callGatewayA('POST', '/transfer', {
      body: {
        source: 'balance',
        amount: Number(toSubunits('gateway-a', amount, currency)),
        currency,
        recipient: code,
        reference,
        reason: 'Ticket sales',
      },
    });
    // A reference that was used before is refused: the first call had got through.
    if (!ok && (await this.findTransfer(reference)) === 'unknown')
      throw providerFailed(`transfer: ${status}`);
  },

  async findTransfer(reference) {
    const { status, ok, body } = await callGatewayA(
      'GET',
      `/transfer/verify/${encodeURIComponent(reference)}`,
    );
    if (status === 404 || status === 400) return 'unknown';
    if (!ok || !body.data) throw providerFailed(`find transfer: ${status}`);
    switch (body.data.status) {
      case 'success':
        return transferSignal('transfer-succeeded', body.data);
      case 'failed':
      case 'reversed':
        return transferSignal('transfer-failed', body.data);
      default:
        return 'under-way';
    }
  },
};
