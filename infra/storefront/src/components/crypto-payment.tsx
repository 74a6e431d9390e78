import { type CryptoPayment, confirmOrder, HttpError, type Order, ok, type User } from 'boxoffice-client';
import { useEffect, useState } from 'preact/hooks';
import { chainName, exactAmount, transactionOf } from '../chain.ts';
import { messageOf } from '../errors.ts';
import { sentTransactions } from '../sent-transactions.ts';
import { connectAccount, findProvider, payFromWallet, walletProblem } from '../session/wallet.ts';
import { CopyButton } from './copy-button.tsx';
import { Fact } from './facts.tsx';
import { Field, Form } from './form.tsx';
import { Hash } from './hash.tsx';

interface CryptoPaymentProps {
  order: Order;
  payment: CryptoPayment;
  user: User;
  /** Whether the order may still be paid; otherwise only a payment that was made can be reported. */
  isOpen: boolean;
  /** The transaction that was sent or entered in this browser, until the API has refused it. */
  sent: string | undefined;
  onSent: (hash: string | undefined) => void;
  /** The order may have changed. */
  onChange: () => void;
}

/** Paying an order on a chain: how, from which wallet, by which transaction, and how far that one is. */
export function CryptoPaymentPart({
  order,
  payment,
  user,
  isOpen,
  sent,
  onSent,
  onChange,
}: CryptoPaymentProps) {
  const [refusal, setRefusal] = useState<string>();
  const hash = sent ?? payment.transactionHash ?? undefined;
  const submit = (transaction: string) => {
    setRefusal(undefined);
    onSent(transaction);
    sentTransactions.keep(order.id, transaction);
  };
  const refuse = (message: string) => {
    sentTransactions.forget(order.id);
    onSent(undefined);
    setRefusal(message);
  };
  const isFollowed = hash !== undefined && refusal === undefined;

  return (
    <section class="part">
      <h2>{isOpen || isFollowed ? 'Your payment' : 'Paid all the same?'}</h2>
      {isFollowed && (
        <FollowedTransaction
          key={hash}
          order={order}
          payment={payment}
          hash={hash}
          onChange={onChange}
          onRefusal={refuse}
        />
      )}
      {refusal !== undefined && <p role="alert">{refusal}</p>}
      {isOpen && !isFollowed && (
        <>
          <Instructions payment={payment} />
          <PayFromWallet payment={payment} user={user} onSent={submit} />
        </>
      )}
      {isOpen && isFollowed && (
        <details>
          <summary>Not paid yet?</summary>
          <p>Pay only if your wallet shows that this transaction failed, was replaced or was never sent.</p>
          <Instructions payment={payment} />
          <PayFromWallet payment={payment} user={user} onSent={submit} />
        </details>
      )}
      <details open={!isOpen && !isFollowed}>
        <summary>{isFollowed ? 'Paid by another transaction?' : 'Paid already?'}</summary>
        <Form<{ txHash: string }>
          submit="Look for the payment"
          onSubmit={async ({ txHash }) => submit(txHash.trim())}
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
  const { to, data } = transactionOf(payment);
  const amount = exactAmount(payment);
  const isToken = payment.token !== null;
  return (
    <>
      <p>
        Pay <b>exactly</b> this, in one transaction. Its data names your order: without it, the payment can’t
        be found.
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
          The data is a whole call of the {payment.symbol} contract, which transfers the amount to the
          address. Send it to the contract, with an amount of 0 of the chain’s own coin.
        </p>
      )}
    </>
  );
}

interface PayFromWalletProps {
  payment: CryptoPayment;
  user: User;
  onSent: (hash: string) => void;
}

/** Pays with the wallet in the browser. Asks for confirmation before a payment from an account that is not linked. */
function PayFromWallet({ payment, user, onSent }: PayFromWalletProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [other, setOther] = useState<string>();
  const provider = findProvider();
  if (!provider) {
    return (
      <p class="quiet">
        There is no wallet in this browser. Send the payment from another wallet, or install one here and open
        this page again.
      </p>
    );
  }
  const pay = async (confirmed?: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const account = await connectAccount(provider);
      const isOwn = !user.walletVerified || account.toLowerCase() === user.walletAddress?.toLowerCase();
      if (!isOwn && account !== confirmed) return setOther(account);
      setOther(undefined);
      onSent(await payFromWallet(provider, account, payment));
    } catch (error) {
      setProblem(walletProblem(error, payment));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {other && (
        <p class="status" role="status">
          Your wallet pays from <code>{other}</code>, which is not the wallet of your account,{' '}
          <code>{user.walletAddress}</code>. Choose that one in your wallet and try again, or pay from this
          one.
        </p>
      )}
      <p class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => pay()}>
          {isBusy ? 'See your wallet…' : 'Pay from my wallet'}
        </button>
        {other && (
          <button type="button" disabled={isBusy} onClick={() => pay(other)}>
            Pay from this account
          </button>
        )}
      </p>
      {problem && <p role="alert">{problem}</p>}
    </>
  );
}

interface FollowedProps extends Pick<CryptoPaymentProps, 'order' | 'payment' | 'onChange'> {
  hash: string;
  onRefusal: (message: string) => void;
}

/** A transaction that may pay the order: the API is asked about it until it is final, or can't pay any more. */
function FollowedTransaction({ order, payment, hash, onChange, onRefusal }: FollowedProps) {
  const [stage, setStage] = useState('Looking for the transaction…');
  useEffect(() => {
    let timer: number | undefined;
    let isStopped = false;
    const ask = async () => {
      const answer = await check(order.id, hash);
      if (isStopped) return;
      if (answer.state === 'waiting') {
        setStage(answer.message);
        timer = setTimeout(ask, answer.seconds * 1_000);
        return;
      }
      sentTransactions.forget(order.id);
      if (answer.state === 'refused') onRefusal(answer.message);
      onChange();
    };
    void ask();
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
      <p role="status">{stage}</p>
    </div>
  );
}

type Answer =
  | { state: 'settled' }
  | { state: 'waiting'; message: string; seconds: number }
  | { state: 'refused'; message: string };

/** The next step after a refused transaction, shown after the API's error. */
const advice: Record<string, string> = {
  'transaction-unfit': 'It can’t pay this order: pay again, or enter another hash.',
  'transaction-used': 'Enter the hash of this order’s own payment.',
  'paid-too-little': 'We are reviewing the payment. Please do not pay again.',
};

/** Reports the transaction of a payment. The API stores it, and follows it also after this page is closed. */
async function check(orderId: string, txHash: string): Promise<Answer> {
  try {
    await ok(confirmOrder(orderId, { txHash }));
    return { state: 'settled' };
  } catch (error) {
    const code = error instanceof HttpError ? error.headers.get('x-error-code') : undefined;
    if (code === 'already-paid') return { state: 'settled' };
    const sentence = messageOf(error).replace(/\.$/, '');
    const isRefused = error instanceof HttpError && [400, 404, 409].includes(error.status);
    if (isRefused && code !== 'transaction-not-final') {
      return { state: 'refused', message: [`${sentence}.`, code && advice[code]].filter(Boolean).join(' ') };
    }
    const seconds = error instanceof HttpError ? Number(error.headers.get('retry-after') ?? 10) : 5;
    return {
      state: 'waiting',
      message: `${sentence}. This page looks again by itself, and you may leave it: please do not pay again.`,
      seconds: Math.max(1, seconds),
    };
  }
}
