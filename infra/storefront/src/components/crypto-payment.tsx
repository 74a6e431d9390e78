import { type CryptoPayment, confirmOrder, HttpError, type Order, ok, type User } from 'boxoffice-client';
import { useEffect, useState } from 'preact/hooks';
import { chainName, exactAmount, sentTransactions, toTransaction } from '../chain.ts';
import { messageOf } from '../errors.ts';
import { connectAccount, findProvider, payFromWallet, walletProblem } from '../session/wallet.ts';
import { Field, Form } from './form.tsx';
import { CopyButton, Fact, Hash } from './values.tsx';

/** A transaction that the API refused. */
interface Refusal {
  hash: string;
  /** The API's reason. */
  sentence: string;
  /** The next step, when no other transaction is being checked. */
  nextStep: string | undefined;
}

interface CryptoPaymentProps {
  order: Order;
  payment: CryptoPayment;
  /** Null for a guest. */
  user: User | null;
  /** Whether the order can still be paid. If not, the buyer can only report a payment that was already made. */
  isOpen: boolean;
  /** The hash of a transaction that was sent or entered in this browser, and not refused by the API. */
  sentHash: string | undefined;
  onSent: (hash: string | undefined) => void;
  /** Called when the order may have changed. */
  onChange: () => void;
}

/**
 * The order page's part for a payment on a chain: the instructions, the browser's wallet, and the transaction's
 * progress.
 */
export function CryptoPaymentSection({
  order,
  payment,
  user,
  isOpen,
  sentHash,
  onSent,
  onChange,
}: CryptoPaymentProps) {
  const [refusal, setRefusal] = useState<Refusal>();
  const hash = sentHash ?? payment.transactionHash ?? undefined;
  const track = (newHash: string) => {
    setRefusal(undefined);
    onSent(newHash);
    sentTransactions.store(order.id, newHash);
  };
  const showRefusal = (refused: Refusal) => {
    sentTransactions.remove(order.id);
    onSent(undefined);
    setRefusal(refused);
  };
  // After one transaction is refused, an earlier one may still pay.
  const isTracked = hash !== undefined && hash !== refusal?.hash;

  return (
    <section class="part">
      <h2>{isOpen || isTracked || refusal ? 'Your payment' : 'Did you pay anyway?'}</h2>
      {isTracked && (
        <TransactionProgress
          key={hash}
          order={order}
          payment={payment}
          hash={hash}
          onChange={onChange}
          onRefusal={showRefusal}
        />
      )}
      {refusal && (
        <p role="alert">
          {refusal.sentence}{' '}
          {isTracked
            ? 'Your other transaction is still being checked. Please do not pay again.'
            : refusal.nextStep}
        </p>
      )}
      {isOpen && !isTracked && (
        <>
          <Instructions payment={payment} />
          <PayFromWallet payment={payment} user={user} onSent={track} />
        </>
      )}
      {isOpen && isTracked && (
        <details>
          <summary>Not paid yet?</summary>
          <p>Pay only if your wallet shows that this transaction failed, was replaced or was never sent.</p>
          <Instructions payment={payment} />
          <PayFromWallet payment={payment} user={user} onSent={track} />
        </details>
      )}
      <details open={!isOpen && !isTracked && !refusal}>
        <summary>{isTracked ? 'Paid by another transaction?' : 'Paid already?'}</summary>
        <Form<{ txHash: string }>
          submit="Look for the payment"
          onSubmit={async ({ txHash }) => track(txHash.trim().toLowerCase())}
        >
          <Field
            name="txHash"
            label="Hash of the transaction"
            hint="Your wallet shows it: 0x and 64 digits or letters from a to f."
            placeholder="0x…"
            pattern="\s*0x[0-9a-fA-F]{64}\s*"
            autocomplete="off"
            spellcheck={false}
            required
          />
        </Form>
      </details>
    </section>
  );
}

/** The exact payment that a wallet has to send. */
function Instructions({ payment }: { payment: CryptoPayment }) {
  const { to, data } = toTransaction(payment);
  const amount = exactAmount(payment);
  const isToken = payment.token !== null;
  return (
    <>
      <p>
        Pay <b>exactly</b> this, in one transaction. Include the data, which identifies your order: a payment
        without it can’t be found.
      </p>
      <dl class="facts panel">
        <Fact name="Chain">{chainName(payment.chainId)}</Fact>
        <Fact name="Amount">
          <code>
            {amount} {payment.symbol}
          </code>{' '}
          <CopyButton name="amount" text={amount} />
        </Fact>
        <Fact name="Address">
          <code>{payment.to}</code> <CopyButton name="address" text={payment.to} />
        </Fact>
        {isToken && (
          <Fact name={`${payment.symbol} contract`}>
            <code>{to}</code> <CopyButton name="contract" text={to} />
          </Fact>
        )}
        <Fact name="Data">
          <code>{data}</code> <CopyButton name="data" text={data} />
        </Fact>
      </dl>
      {isToken && (
        <p class="quiet">
          The data is a call of the {payment.symbol} contract that transfers the amount to the address. Send
          the transaction to the contract, with a value of 0 in the chain’s own coin.
        </p>
      )}
    </>
  );
}

interface PayFromWalletProps {
  payment: CryptoPayment;
  user: User | null;
  onSent: (hash: string) => void;
}

/**
 * Pays with the wallet in the browser. A user who has linked a wallet has to confirm a payment from any other wallet.
 */
function PayFromWallet({ payment, user, onSent }: PayFromWalletProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [unlinkedAccount, setUnlinkedAccount] = useState<string>();
  const provider = findProvider();
  if (!provider) {
    return (
      <p class="quiet">
        There is no wallet in this browser. Send the payment from another wallet, or install one here and open
        this page again.
      </p>
    );
  }
  const pay = async (confirmedAccount?: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const account = await connectAccount(provider);
      const isUnlinked = user?.walletVerified && account.toLowerCase() !== user.walletAddress?.toLowerCase();
      if (isUnlinked && account !== confirmedAccount) return setUnlinkedAccount(account);
      setUnlinkedAccount(undefined);
      onSent(await payFromWallet(provider, account, payment));
    } catch (error) {
      setProblem(walletProblem(error, payment));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {unlinkedAccount && (
        <p class="status" role="status">
          Your wallet pays from <code>{unlinkedAccount}</code>, but <code>{user?.walletAddress}</code> is the
          wallet of your account. Select your account’s wallet and try again, or pay from the other one.
        </p>
      )}
      <p class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => pay()}>
          {isBusy ? 'Confirm in your wallet…' : 'Pay from my wallet'}
        </button>
        {unlinkedAccount && (
          <button type="button" disabled={isBusy} onClick={() => pay(unlinkedAccount)}>
            Pay from the other wallet
          </button>
        )}
      </p>
      {problem && <p role="alert">{problem}</p>}
    </>
  );
}

interface TransactionProgressProps extends Pick<CryptoPaymentProps, 'order' | 'payment' | 'onChange'> {
  hash: string;
  onRefusal: (refusal: Refusal) => void;
}

/** A transaction that may pay the order. Polls the API until the transaction is final or refused. */
function TransactionProgress({ order, payment, hash, onChange, onRefusal }: TransactionProgressProps) {
  const [message, setMessage] = useState('Looking for the transaction…');
  useEffect(() => {
    let timer: number | undefined;
    let isStopped = false;
    const poll = async () => {
      const result = await submitTransaction(order.id, hash);
      if (isStopped) return;
      if (result.state === 'waiting') {
        setMessage(result.message);
        timer = setTimeout(poll, result.seconds * 1_000);
        return;
      }
      sentTransactions.remove(order.id);
      if (result.state === 'refused') onRefusal({ hash, ...result });
      onChange();
    };
    void poll();
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }, [order.id, hash]);
  return (
    <div class="panel">
      <p>
        Transaction <Hash name="transaction" value={hash} chainId={payment.chainId} path={`tx/${hash}`} />
      </p>
      <p role="status">{message}</p>
    </div>
  );
}

type SubmissionResult =
  | { state: 'settled' }
  /** `seconds` is the delay until the next request. */
  | { state: 'waiting'; message: string; seconds: number }
  | ({ state: 'refused' } & Omit<Refusal, 'hash'>);

/** The next step after a refused transaction, by error code. */
const nextSteps: Record<string, string> = {
  'transaction-unfit':
    'This transaction can’t pay the order. If you have paid with it, do not pay again. Otherwise enter another hash.',
  'transaction-used': 'Enter the hash of this order’s own payment.',
  'paid-too-little': 'We are reviewing the payment. Please do not pay again.',
};

/** Submits a payment's transaction. The API stores it, and goes on checking it after this page is closed. */
async function submitTransaction(orderId: string, txHash: string): Promise<SubmissionResult> {
  try {
    await ok(confirmOrder(orderId, { txHash }));
    return { state: 'settled' };
  } catch (error) {
    const code = error instanceof HttpError ? error.headers.get('x-error-code') : undefined;
    if (code === 'already-paid') return { state: 'settled' };
    const sentence = messageOf(error).replace(/\.$/, '');
    const isRefused = error instanceof HttpError && [400, 404, 409].includes(error.status);
    if (isRefused && code !== 'transaction-not-final') {
      return { state: 'refused', sentence: `${sentence}.`, nextStep: code ? nextSteps[code] : undefined };
    }
    const seconds = error instanceof HttpError ? Number(error.headers.get('retry-after') ?? 10) : 5;
    return {
      state: 'waiting',
      message: `${sentence}. This page checks again by itself, and you may leave it. Please do not pay again.`,
      seconds: Math.max(1, seconds),
    };
  }
}
