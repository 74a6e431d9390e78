import {
  type Code,
  createCode,
  deleteCode,
  type Event,
  type EventSummary,
  getEvent,
  listCodes,
  ok,
  summarizeEvent,
  updateCode,
} from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Failure, Loaded, PagedList, useResource } from '../components/resource.tsx';
import { Table } from '../components/table.tsx';
import { Money } from '../components/values.tsx';
import { tierName } from '../find-event.ts';
import { shortTime } from '../format.ts';
import { formatMoney } from '../money.ts';
import { organizing } from '../texts/en/organizing.ts';
import { t } from '../texts/organizing.ts';

/** An event's discount and access codes, for its organizer: their effect and use, and a form that creates codes. */
export function CodesPage() {
  const { id = '' } = useRoute().params;
  const [reloadCount, setReloadCount] = useState(0);
  const resource = useResource(async () => {
    const [{ event }, { summary }] = await Promise.all([ok(getEvent(id)), ok(summarizeEvent(id))]);
    return { event, summary };
  }, [id]);
  const reloadCodes = () => setReloadCount(reloadCount + 1);
  return (
    <Page
      title={
        resource.state === 'ready'
          ? t('codes.titleOf', { event: resource.value.event.title })
          : t('codes.title')
      }
    >
      <Loaded of={resource}>
        {({ event, summary }) => (
          <>
            <p>
              <a href={`/organizer/events/${id}`}>{t('sales')}</a>
            </p>
            <h1>{t('codes.title')}</h1>
            <p class="quiet">{event.title}</p>
            <NewCode event={event} onCreated={reloadCodes} />
            <div class="part">
              <h2 id="codes-title">{t('codes.yours')}</h2>
              <PagedList
                load={(cursor) => ok(listCodes(id, { cursor }))}
                items={({ codes }) => codes}
                inputs={[id, reloadCount]}
                empty={t('codes.none')}
              >
                {(codes) => (
                  <CodeTable codes={codes} event={event} summary={summary} onChange={reloadCodes} />
                )}
              </PagedList>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const kinds = Object.keys(organizing.codes.kinds) as Code['kind'][];

type Values = {
  code: string;
  kind: Code['kind'];
  value: string;
  tierId: string;
  maxUses: string;
  maxPerUser: string;
  budget: string;
  validUntil: string;
};

function NewCode({ event, onCreated }: { event: Event; onCreated: () => void }) {
  const [kind, setKind] = useState<Code['kind']>('percent');
  const { currency } = event;
  const create = async (values: Values, form: HTMLFormElement) => {
    const { code, value, tierId, maxUses, maxPerUser, budget, validUntil } = values;
    await ok(
      createCode(event.id, {
        code,
        kind,
        ...(kind !== 'access' && { value: Number(value) }),
        ...(tierId && { tierIds: [tierId] }),
        ...(maxUses && { maxUses: Number(maxUses) }),
        ...(maxPerUser && { maxPerUser: Number(maxPerUser) }),
        ...(budget && { budget: Number(budget) }),
        // The entered time is in the organizer's time zone.
        ...(validUntil && { validUntil: new Date(validUntil).toISOString() }),
      }),
    );
    form.reset();
    setKind('percent');
    onCreated();
  };
  return (
    <div class="panel">
      <h2>{t('codes.create')}</h2>
      <Form<Values>
        submit={t('codes.submit')}
        onSubmit={create}
        onInput={({ currentTarget }) => setKind(new FormData(currentTarget).get('kind') as Code['kind'])}
      >
        <div class="pair">
          <Field
            name="code"
            label={t('codes.code')}
            hint={t('codes.codeHint')}
            minLength={2}
            maxLength={40}
            autocomplete="off"
            spellcheck={false}
            required
          />
          <Field name="tierId" label={t('tier')} as="select">
            <option value="">{t('allTiers')}</option>
            {event.tiers.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Field>
        </div>
        <div class="pair">
          <Field name="kind" label={t('codes.effect')} as="select">
            {kinds.map((value) => (
              <option key={value} value={value}>
                {t(`codes.kinds.${value}`)}
              </option>
            ))}
          </Field>
          {kind !== 'access' && (
            <Field
              name="value"
              label={kind === 'percent' ? t('codes.percent') : currency}
              type="number"
              min={0}
              max={kind === 'percent' ? 100 : undefined}
              step="any"
              required
            />
          )}
        </div>
        <div class="pair">
          <Field
            name="maxUses"
            label={t('codes.maximum')}
            hint={t('codes.anyNumber')}
            type="number"
            min={1}
          />
          <Field
            name="maxPerUser"
            label={t('codes.maximumPerPerson')}
            hint={t('codes.anyNumber')}
            type="number"
            min={1}
          />
        </div>
        <div class="pair">
          <Field name="budget" label={t('codes.budget', { currency })} type="number" min={0} step="any" />
          <Field name="validUntil" label={t('codes.validUntil')} type="datetime-local" />
        </div>
      </Form>
    </div>
  );
}

interface CodeTableProps {
  codes: Code[];
  event: Event;
  summary: EventSummary;
  onChange: () => void;
}

function CodeTable({ codes, event, summary, onChange }: CodeTableProps) {
  const [error, setError] = useState<unknown>();
  const refreshAfter = (change: Promise<unknown>) =>
    change.then(() => {
      setError(undefined);
      onChange();
    }, setError);
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      <Table
        columns={[
          t('codes.code'),
          t('codes.effect'),
          t('codes.used'),
          t('codes.sold'),
          t('codes.discounts'),
          t('state'),
          t('actions'),
        ]}
        aria-labelledby="codes-title"
      >
        {codes.map((code) => (
          <CodeRow
            key={code.code}
            code={code}
            event={event}
            sales={summary.codes.find((sales) => sales.code === code.code)}
            onToggle={() => refreshAfter(ok(updateCode(event.id, code.code, { active: !code.active })))}
            onDelete={() => refreshAfter(ok(deleteCode(event.id, code.code)))}
          />
        ))}
      </Table>
    </>
  );
}

interface CodeRowProps {
  code: Code;
  event: Event;
  sales: EventSummary['codes'][number] | undefined;
  onToggle: () => void;
  onDelete: () => void;
}

function CodeRow({ code, event, sales, onToggle, onDelete }: CodeRowProps) {
  const { currency } = event;
  return (
    <tr>
      <th scope="row">
        <code>{code.code}</code>
      </th>
      <td>
        {describeEffect(code, currency)}
        <br />
        <span class="quiet">{code.tierIds.map((id) => tierName(event, id)).join(', ') || t('allTiers')}</span>
      </td>
      <td>
        {formatUses(code, sales)}
        {code.budget !== null && (
          <>
            <br />
            <span class="quiet">
              {t('codes.amountOf', {
                amount: formatMoney(code.givenAway ?? 0, currency),
                maximum: formatMoney(code.budget, currency),
              })}
            </span>
          </>
        )}
      </td>
      <td>{sales?.sold ?? 0}</td>
      <td>
        <Money amount={sales?.discount ?? 0} currency={currency} />
      </td>
      <td>{describeState(code)}</td>
      <td>
        <button
          type="button"
          onClick={onToggle}
          aria-label={t(code.active ? 'codes.deactivateOf' : 'codes.activateOf', { code: code.code })}
        >
          {t(code.active ? 'codes.deactivate' : 'codes.activate')}
        </button>{' '}
        <button type="button" onClick={onDelete} aria-label={t('codes.deleteOf', { code: code.code })}>
          {t('delete')}
        </button>
      </td>
    </tr>
  );
}

function describeEffect({ kind, value }: Code, currency: string): string {
  if (kind === 'access' || value === null) return t('codes.showsHidden');
  if (kind === 'percent') return t('codes.percentOff', { percent: value });
  const amount = formatMoney(value, currency);
  return t(kind === 'amount' ? 'codes.amountOff' : 'codes.priceOf', { amount });
}

/**
 * Formats how many orders used a code, and the maximum. Shows the paid orders of a code without `maxUses` and `budget`,
 * for which the API returns no `uses`.
 */
function formatUses({ uses, maxUses }: Code, sales: CodeRowProps['sales']): string {
  const count = uses ?? sales?.orders ?? 0;
  return maxUses === null ? `${count}` : t('countOf', { count, maximum: maxUses });
}

function describeState(code: Code): string {
  const { active, validFrom, validUntil } = code;
  const now = Date.now();
  if (!active) return t('codes.inactive');
  if (validUntil && Date.parse(validUntil) < now) return t('codes.ended');
  if (validFrom && Date.parse(validFrom) > now) return t('codes.from', { time: shortTime(validFrom) });
  return t(isUsedUp(code) ? 'codes.usedUp' : 'codes.valid');
}

/** An access code gives no discount, so its budget is never used up. */
function isUsedUp({ kind, uses, maxUses, budget, givenAway }: Code): boolean {
  if (maxUses !== null && (uses ?? 0) >= maxUses) return true;
  return kind !== 'access' && budget !== null && (givenAway ?? 0) >= budget;
}
