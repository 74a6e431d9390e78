import { setTimeout as sleep } from 'node:timers/promises';
import { JsonRpcProvider, Network, Wallet } from 'ethers';
import type { StackDescription } from '../stack.ts';
import { authorizationOf, call, eventually, type Json, printStep } from './steps.ts';

/** A way to pay: the tickets' prices, the order's payment fields, and the buyer's payment. */
export interface PaymentWay {
  currency: string;
  /** The prices of a standing ticket and of a balcony ticket. */
  prices: [number, number];
  order: { paymentMethod: 'FIAT' | 'CRYPTO'; gateway?: string };
  pay(stack: StackDescription, buyer: Buyer, order: Json): Promise<void>;
}

export interface Buyer {
  token: string;
  wallet: { privateKey: string };
}

export function payAtGateway(gateway: string): PaymentWay {
  return {
    currency: 'USD',
    prices: [50, 120],
    order: { paymentMethod: 'FIAT', gateway },
    async pay(stack, _, { reference }) {
      const { deliveries } = await call('POST', `${stack.sandboxUrl}/control/payments/${reference}/pay`);
      printStep(`The buyer pays at ${gateway}, which sends a webhook`, {
        'the API responds': deliveries.map(
          (delivery: Json) => delivery.error ?? `${delivery.status} ${delivery.body}`,
        ),
      });
    },
  };
}

export const payNothing: PaymentWay = {
  currency: 'USD',
  prices: [0, 0],
  order: { paymentMethod: 'FIAT' },
  async pay(_, __, { paymentStatus }) {
    printStep('There is nothing to pay', { status: paymentStatus });
  },
};

export const payOnChain: PaymentWay = {
  currency: 'POL',
  prices: [1.5, 4],
  order: { paymentMethod: 'CRYPTO' },
  async pay(stack, { token, wallet }, { orderId, payment }) {
    const { to, amount, symbol, data, chainId } = payment;
    const hash = await sendCoins(stack, wallet.privateKey, { to, value: BigInt(amount), data });
    printStep('The buyer’s wallet pays on the chain, with the order’s reference in the calldata', {
      to: `${to} on chain ${chainId}`,
      amount: `${amount} base units of ${symbol}`,
      data,
      transaction: hash,
    });
    printStep('The buyer confirms the payment until the transaction is final', {
      'the API responds': await confirmPayment(`${stack.apiUrl}/api/orders/${orderId}/confirm`, token, hash),
    });
  },
};

/** Confirms the payment until the response is final. @returns the responses, without consecutive duplicates */
async function confirmPayment(url: string, token: string, txHash: string): Promise<string[]> {
  const responses: string[] = [];
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(500)) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: authorizationOf(token) },
      body: JSON.stringify({ txHash }),
    });
    const { error, order }: Json = await response.json();
    const text = `${response.status} ${error ?? order.paymentStatus}`;
    if (responses.at(-1) !== text) responses.push(text);
    if (response.status !== 409) return responses;
  }
  throw new Error(`The transaction did not become final: ${responses.at(-1)}`);
}

/** Sends the payment from the buyer's wallet, after funding it. @returns the transaction's hash */
async function sendCoins(stack: StackDescription, privateKey: string, transaction: object): Promise<string> {
  const network = new Network('local', stack.chainId);
  const provider = new JsonRpcProvider(stack.chainRpcUrl, network, { staticNetwork: network });
  try {
    const wallet = new Wallet(privateKey, provider);
    await provider.send('anvil_setBalance', [wallet.address, `0x${(10n ** 20n).toString(16)}`]);
    return (await wallet.sendTransaction(transaction)).hash;
  } finally {
    provider.destroy();
  }
}

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
