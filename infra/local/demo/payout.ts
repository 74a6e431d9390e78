import type { StackDescription } from '../stack.ts';
import { call, eventually, type Json, printStep } from './steps.ts';

/** Requests a payout. The bank refuses its transfer four times, and executes the fifth. */
export async function requestPayout(stack: StackDescription, token: string): Promise<void> {
  const callApi = (method: string, route: string, body?: object) =>
    call(method, `${stack.apiUrl}${route}`, token, body);
  const readBalance = async () => {
    const [{ available, pending, paidOut, currency }] = (await callApi('GET', '/api/organizer/balance'))
      .balances;
    return `${available} ${currency} available, ${pending} pending, ${paidOut} paid out`;
  };

  printStep('The organizer looks at the balance', { balance: await readBalance() });

  const account = '0690000031';
  await call('POST', `${stack.sandboxUrl}/control/faults`, undefined, { failTransfers: 4, account });
  const { payout } = await callApi('POST', '/api/payouts', {
    amount: 75,
    currency: 'USD',
    gateway: 'gateway-b',
    destination: { accountNumber: account, bankCode: '044', accountName: 'Olu Adeyemi' },
  });
  printStep('The organizer requests a payout, which the bank will refuse four times', {
    payout: `${payout.amount} ${payout.currency} to ${payout.destination.accountNumber}, ${payout.status}`,
    balance: await readBalance(),
  });

  const readTransfer = () => call('GET', `${stack.sandboxUrl}/control/transfers/${payout.id}`);
  const readPayout = async (): Promise<Json> => (await callApi('GET', '/api/payouts')).payouts[0];
  for (let attempt = 1; attempt <= 4; attempt++) {
    await eventually(`Transfer ${attempt} did not fail`, async () => (await readPayout()).attempts > attempt);
  }
  printStep('The transfer fails, and is sent again under the same reference', { reference: payout.id });

  const completed = await eventually('The payout did not become COMPLETED', async () => {
    const current = await readPayout();
    return current.status === 'COMPLETED' && current;
  });
  const { attempts, amount, status } = await readTransfer();
  printStep('The money arrives exactly once', {
    payout: `${completed.status} with attempt ${completed.attempts}`,
    bank: `${status}: ${amount} ${payout.currency}, requested ${attempts} times`,
    balance: await readBalance(),
  });
}
