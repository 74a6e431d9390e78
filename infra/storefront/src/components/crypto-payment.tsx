import { type CryptoPayment, confirmOrder, HttpError, type Order, ok, type User } from 'boxoffice-client';
import { useEffect, useState } from 'preact/hooks';
import { chainName, exactAmount, sentTransactions, toTransaction } from '../chain.ts';
import { messageOf } from '../errors.ts';
import { connectAccount, findProvider, payFromWallet } from '../session/wallet.ts';
import { walletProblem } from '../session/wallet-problems.ts';
import { t } from '../texts/orders.ts';
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
      <h2>{t(isOpen || isTracked || refusal ? 'crypto.title' : 'crypto.lateTitle')}</h2>
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
          {refusal.sentence} {isTracked ? t('crypto.otherChecked') : refusal.nextStep}
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
          <summary>{t('crypto.notPaidYet')}</summary>
          <p>{t('crypto.payOnlyIf')}</p>
          <Instructions payment={payment} />
          <PayFromWallet payment={payment} user={user} onSent={track} />
        </details>
      )}
      <details open={!isOpen && !isTracked && !refusal}>
        <summary>{t(isTracked ? 'crypto.paidByOther' : 'crypto.paidAlready')}</summary>
        <Form<{ txHash: string }>
          submit={t('crypto.look')}
          onSubmit={async ({ txHash }) => track(txHash.trim().toLowerCase())}
        >
          <Field
            name="txHash"
            label={t('crypto.hash')}
            hint={t('crypto.hashHint')}
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
      <p>{t('crypto.exactly', { exactly: <b>{t('crypto.exactlyWord')}</b> })}</p>
      <dl class="facts panel">
        <Fact name={t('crypto.chain')}>{chainName(payment.chainId)}</Fact>
        <Fact name={t('crypto.amount')}>
          <code>
            {amount} {payment.symbol}
          </code>{' '}
          <CopyButton name="amount" text={amount} />
        </Fact>
        <Fact name={t('crypto.address')}>
          <code>{payment.to}</code> <CopyButton name="address" text={payment.to} />
        </Fact>
        {isToken && (
          <Fact name={t('crypto.contract', { symbol: payment.symbol })}>
            <code>{to}</code> <CopyButton name="contract" text={to} />
          </Fact>
        )}
        <Fact name={t('crypto.data')}>
          <code>{data}</code> <CopyButton name="data" text={data} />
        </Fact>
      </dl>
      {isToken && <p class="quiet">{t('crypto.tokenNote', { symbol: payment.symbol })}</p>}
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
    return <p class="quiet">{t('crypto.noWallet')}</p>;
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
          {t('crypto.unlinked', {
            account: <code>{unlinkedAccount}</code>,
            linked: <code>{user?.walletAddress}</code>,
          })}
        </p>
      )}
      <p class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => pay()}>
          {t(isBusy ? 'crypto.confirmInWallet' : 'crypto.pay')}
        </button>
        {unlinkedAccount && (
          <button type="button" disabled={isBusy} onClick={() => pay(unlinkedAccount)}>
            {t('crypto.payFromOther')}
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
  const [message, setMessage] = useState<string>(t('crypto.looking'));
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
        {t('crypto.transaction', {
          hash: <Hash name="transaction" value={hash} chainId={payment.chainId} path={`tx/${hash}`} />,
        })}
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

/** Returns the next step after a refused transaction. */
function nextStepAfter(code: string | null | undefined): string | undefined {
  if (code === 'transaction-unfit') return t('crypto.unfit');
  if (code === 'transaction-used') return t('crypto.used');
  return code === 'paid-too-little' ? t('crypto.tooLittle') : undefined;
}

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
      return { state: 'refused', sentence: `${sentence}.`, nextStep: nextStepAfter(code) };
    }
    const seconds = error instanceof HttpError ? Number(error.headers.get('retry-after') ?? 10) : 5;
    return {
      state: 'waiting',
      message: `${sentence}. ${t('crypto.keepsChecking')}`,
      seconds: Math.max(1, seconds),
    };
  }
}
