import { takes, toMajor } from '../amounts.ts';
import { providerFailed } from '../provider-call.ts';
import type { TransferGateway } from '../transfer.ts';
import { callGatewayB, gatewayB } from './gateway.ts';
import { transferSignal } from './webhook.ts';

/** Transfers by gateway-b. */
export const transfersB: TransferGateway = {
  name: 'gateway-b',
  isConfigured: gatewayB.isConfigured,
  supports: (currency) => takes('gateway-b', currency),

  async transfer({ reference, amount, currency, destination }) {
    const { ok, status, body } = await callGatewayB('POST', '/transfers', {
      body: {
        account_bank: destination.bankCode,
        account_number: destination.accountNumber,
        beneficiary_name: destination.accountName,
        amount: toMajor(amount, currency),
        currency,
        narration: 'Ticket sales',
        reference,
      },
    });
    if (ok && body.status === 'success') return;
    // A reference that was used before is refused: the first call had got through.
    if ((await this.findTransfer(reference)) === 'unknown') throw providerFailed(`transfer: ${status}`);
  },

  async findTransfer(reference) {
    const { ok, status, body } = await callGatewayB(
      'GET',
      `/transfers?reference=${encodeURIComponent(reference)}`,
    );
    if (status === 404) return 'unknown';
    if (!ok || !Array.isArray(body.data)) throw providerFailed(`find transfer: ${status}`);
    // The filter is asked of the provider; whether it heeds it is not left to trust.
    const ours = body.data.find((transfer: { reference?: unknown }) => transfer.reference === reference);
    return ours ? (transferSignal(ours) ?? 'under-way') : 'unknown';
  },
};
