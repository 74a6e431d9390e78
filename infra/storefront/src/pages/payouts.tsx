import {
  type Balance,
  type Currency,
  getBalance,
  listBanks,
  listPayouts,
  ok,
  type Payout,
  type PayoutGateway,
  requestPayout,
  stopPayouts,
} from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Dialog } from '../components/confirmation.tsx';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, PagedList, useResource } from '../components/resource.tsx';
import { Table } from '../components/table.tsx';
import { useIdempotencyKey } from '../components/use-idempotency-key.ts';
import { Fact, Money, Time } from '../components/values.tsx';
import { formatMoney, priceStep } from '../money.ts';
import { useLinkToken } from '../session/session.ts';
import { t } from '../texts/organizing.ts';

/** An organizer's balance and payouts. */
export function PayoutsPage() {
  const [requestCount, setRequestCount] = useState(0);
  const resource = useResource(async () => {
    // Without the earlier payouts, the form has no accounts to choose from.
    const earlier = ok(listPayouts()).catch(() => ({ payouts: [] }));
    const [balance, { payouts }] = await Promise.all([ok(getBalance()), earlier]);
    return { ...balance, payouts };
  }, []);
  const reload = async () => {
    setRequestCount(requestCount + 1);
    if (resource.state === 'ready') await resource.reload();
  };
  return (
    <Page title={t('events.payouts')}>
      <p>
        <a href="/organizer">{t('myEvents')}</a>
      </p>
      <h1>{t('events.payouts')}</h1>
      <Loaded of={resource}>
        {({ balances, payoutGateways, payouts }) =>
          balances.length === 0 ? (
            <p class="empty">{t('payouts.nothing')}</p>
          ) : (
            <>
              <BalanceTable balances={balances} />
              <NewPayout
                balances={balances}
                payoutGateways={payoutGateways}
                payouts={payouts}
                onRequested={reload}
              />
            </>
          )
        }
      </Loaded>
      <div class="part">
        <h2 id="payouts-title">{t('payouts.title')}</h2>
        <PagedList
          load={(cursor) => ok(listPayouts({ cursor }))}
          items={({ payouts }) => payouts}
          inputs={[requestCount]}
          empty={t('payouts.none')}
        >
          {(payouts) => <PayoutTable payouts={payouts} />}
        </PagedList>
      </div>
    </Page>
  );
}

function BalanceTable({ balances }: { balances: Balance[] }) {
  return (
    <Table
      columns={[
        t('payouts.currency'),
        t('payouts.available'),
        t('payouts.upcoming'),
        t('payouts.disputed'),
        t('payouts.pending'),
        t('payouts.paidOut'),
      ]}
      aria-label={t('payouts.balance')}
    >
      {balances.map(({ currency, available, upcoming, disputed, pending, paidOut }) => (
        <tr key={currency}>
          <th scope="row">{currency}</th>
          {[available, upcoming, disputed, pending, paidOut].map((amount, index) => (
            <td key={index}>
              <Money amount={amount} currency={currency} />
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

type Values = {
  currency: Currency;
  amount: string;
  gateway: PayoutGateway['gateway'];
  /** An earlier payout, which is paid to the same account; empty for another account. */
  sameAccountAs?: string;
  'destination.accountName': string;
  'destination.accountNumber': string;
  'destination.bankCode': string;
};

interface NewPayoutProps {
  balances: Balance[];
  payoutGateways: PayoutGateway[];
  /** The latest payouts, whose accounts can be used again. */
  payouts: Payout[];
  onRequested: () => Promise<void>;
}

function NewPayout({ balances, payoutGateways, payouts, onRequested }: NewPayoutProps) {
  const [currency, setCurrency] = useState(balances[0]?.currency ?? 'USD');
  const [selectedGateway, setSelectedGateway] = useState<string>();
  const gateways = payoutGateways.filter(({ currencies }) => currencies.includes(currency));
  const { gateway } = gateways.find((each) => each.gateway === selectedGateway) ?? gateways[0] ?? {};
  const available = balances.find((balance) => balance.currency === currency)?.available ?? 0;
  const known = knownAccounts(payouts, gateway, currency);
  const [knownId, setKnownId] = useState<string>();
  const chosen = knownId === '' ? undefined : (known.find(({ id }) => id === knownId) ?? known[0]);
  const { sendOnce, reset } = useIdempotencyKey();
  const [question, setQuestion] = useState<Question>();
  const request = async (values: Values, form: HTMLFormElement) => {
    const destination = chosen?.destination ?? {
      accountName: values['destination.accountName'],
      accountNumber: values['destination.accountNumber'].replace(/\s/g, ''),
      bankCode: values['destination.bankCode'].trim(),
    };
    const body = {
      amount: Number(values.amount),
      currency,
      gateway: values.gateway,
      ...(chosen ? { sameAccountAs: chosen.id } : { destination }),
    };
    const bank = form.querySelector<HTMLOptionElement>('[name="destination.bankCode"] option:checked')?.text;
    const isRight = await new Promise<boolean>((answer) =>
      setQuestion({ ...body, destination, bank, answer }),
    );
    setQuestion(undefined);
    if (!isRight) return;
    await sendOnce((options) => ok(requestPayout(body, options)));
    form.reset();
    setCurrency(balances[0]?.currency ?? 'USD');
    setSelectedGateway(undefined);
    setKnownId(undefined);
    await onRequested();
  };
  return (
    <section class="panel part">
      <h2>{t('payouts.request')}</h2>
      <p class="quiet">{t('payouts.availableNow', { amount: formatMoney(available, currency) })}</p>
      <Form<Values>
        submit={t('payouts.submit')}
        disabled={!gateway}
        onSubmit={request}
        onInput={({ currentTarget }) => {
          reset();
          const values = new FormData(currentTarget);
          setCurrency(values.get('currency') as Currency);
          setSelectedGateway(`${values.get('gateway')}`);
          setKnownId(values.get('sameAccountAs')?.toString());
        }}
      >
        <div class="pair">
          <Field name="currency" label={t('payouts.currency')} as="select">
            {balances.map((balance) => (
              <option key={balance.currency} value={balance.currency}>
                {balance.currency}
              </option>
            ))}
          </Field>
          <Field
            name="amount"
            label={t('payouts.amountIn', { currency })}
            type="number"
            min={0}
            step={priceStep(currency)}
            required
          />
          {gateways.length > 0 && (
            <Field name="gateway" label={t('payouts.sentBy')} as="select">
              {gateways.map(({ gateway, name }) => (
                <option key={gateway} value={gateway}>
                  {name}
                </option>
              ))}
            </Field>
          )}
          {known.length > 0 && (
            <Field name="sameAccountAs" label={t('payouts.to')} as="select">
              {known.map(({ id, destination: { accountName, accountNumber } }) => (
                <option key={id} value={id}>
                  {accountName}, {accountNumber}
                </option>
              ))}
              <option value="">{t('payouts.otherAccount')}</option>
            </Field>
          )}
          {!chosen && <AccountFields gateway={gateway} currency={currency} />}
        </div>
        {!gateway && <p class="status">{t('payouts.unsupported', { currency })}</p>}
      </Form>
      {question && <Summary {...question} />}
    </section>
  );
}

/**
 * Returns the accounts of earlier payouts at a gateway that no longer wait since they are new, each by its first payout: of two
 * accounts whose numbers end alike, that is the one that was there before somebody else may have added the other.
 */
function knownAccounts(
  payouts: Payout[],
  gateway: PayoutGateway['gateway'] | undefined,
  currency: Currency,
): Payout[] {
  const usable = payouts.filter(
    ({ waitsFor, status, ...payout }) =>
      payout.gateway === gateway &&
      payout.currency === currency &&
      status !== 'FAILED' &&
      waitsFor !== 'new-account',
  );
  const accountOf = ({ destination }: Payout) => JSON.stringify(destination);
  return usable.filter(
    (payout, index) => usable.findLastIndex((other) => accountOf(other) === accountOf(payout)) === index,
  );
}

/** The fields for the bank account of a payout. */
function AccountFields({
  gateway,
  currency,
}: {
  gateway: PayoutGateway['gateway'] | undefined;
  currency: Currency;
}) {
  return (
    <>
      {gateway &&
        (currency === 'EUR' ? (
          <BankCode hint={t('payouts.bankCodeHint')} />
        ) : (
          <BankField gateway={gateway} currency={currency} />
        ))}
      <Field
        name="destination.accountNumber"
        label={accountLabel(currency)}
        maxLength={40}
        autocomplete="off"
        spellcheck={false}
        required
      />
      <Field
        name="destination.accountName"
        label={t('payouts.holder')}
        maxLength={100}
        autocomplete="name"
        required
      />
    </>
  );
}

const accountLabel = (currency: Currency) => t(currency === 'EUR' ? 'payouts.iban' : 'payouts.accountNumber');

/** A payout that waits for the organizer's word that it is right. */
interface Question {
  amount: number;
  currency: Currency;
  destination: Payout['destination'];
  /** The name of the bank, when it was chosen from a list. */
  bank: string | undefined;
  answer: (isRight: boolean) => void;
}

function Summary({ amount, currency, destination, bank, answer }: Question) {
  return (
    <Dialog
      title={t('payouts.isRight')}
      submit={t('payouts.send')}
      onConfirm={async () => answer(true)}
      onClose={() => answer(false)}
    >
      <p>{t('payouts.warning')}</p>
      <dl class="facts">
        <Fact name={t('payouts.amount')}>
          <Money amount={amount} currency={currency} />
        </Fact>
        <Fact name={t('payouts.holder')}>{destination.accountName}</Fact>
        <Fact name={accountLabel(currency)}>{destination.accountNumber}</Fact>
        <Fact name={t('payouts.bank')}>{bank ?? destination.bankCode}</Fact>
      </dl>
    </Dialog>
  );
}

/**
 * The field for the bank: a list of the gateway's banks, or a field for the bank's code when the list can't be loaded.
 */
function BankField({ gateway, currency }: { gateway: PayoutGateway['gateway']; currency: Currency }) {
  const resource = useResource(() => ok(listBanks(gateway, currency)), [gateway, currency]);
  if (resource.state === 'failed') {
    return (
      <div>
        <BankCode hint={t('payouts.noBanks')} />
        <button type="button" onClick={resource.reload}>
          {t('payouts.loadAgain')}
        </button>
      </div>
    );
  }
  const banks = resource.state === 'ready' ? resource.value.banks : [];
  return (
    <Field name="destination.bankCode" label={t('payouts.bank')} as="select" required>
      <option value="">
        {t(resource.state === 'ready' ? 'payouts.chooseBank' : 'payouts.loadingBanks')}
      </option>
      {banks.map(({ name, code }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Field>
  );
}

function BankCode({ hint }: { hint: string }) {
  return (
    <Field
      name="destination.bankCode"
      label={t('payouts.bankCode')}
      hint={hint}
      maxLength={20}
      autocomplete="off"
      spellcheck={false}
      required
    />
  );
}

function PayoutTable({ payouts }: { payouts: Payout[] }) {
  return (
    <Table
      columns={[t('payouts.requested'), t('payouts.amount'), t('payouts.to'), t('state')]}
      aria-labelledby="payouts-title"
    >
      {payouts.map((payout) => (
        <tr key={payout.id}>
          <td>
            <Time at={payout.createdAt} />
          </td>
          <td>
            <Money amount={payout.amount} currency={payout.currency} />
          </td>
          <td class="wrap">
            {payout.destination.accountName}
            <br />
            <span class="quiet">
              {t('payouts.account', {
                number: payout.destination.accountNumber,
                bank: payout.destination.bankCode,
              })}
            </span>
          </td>
          <td class="wrap">{describeState(payout)}</td>
        </tr>
      ))}
    </Table>
  );
}

const describeState = ({ status, waitsFor }: Payout): string =>
  waitsFor ? t(`payouts.waits.${waitsFor}`) : t(`payouts.states.${status}`);

/** The page of the mailed link: the visitor stops the payouts to a new bank account. */
export function StopPayoutsPage() {
  const token = useLinkToken();
  const [isStopped, setStopped] = useState(false);
  const stop = async () => {
    await ok(stopPayouts({ token }));
    setStopped(true);
  };
  return (
    <Page title={t('payouts.stop')}>
      <div class="panel narrow">
        <h1>{t('payouts.stop')}</h1>
        {isStopped ? (
          <p role="status">
            {t('payouts.stopped')} <a href="/forgot-password">{t('payouts.setPassword')}</a>
          </p>
        ) : (
          <Form submit={t('payouts.stopSubmit')} onSubmit={stop}>
            <p>{t('payouts.stopText')}</p>
          </Form>
        )}
      </div>
    </Page>
  );
}
