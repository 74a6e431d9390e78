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
    <Page title={resource.state === 'ready' ? `Codes of ${resource.value.event.title}` : 'Codes'}>
      <Loaded of={resource}>
        {({ event, summary }) => (
          <>
            <p>
              <a href={`/organizer/events/${id}`}>Sales</a>
            </p>
            <h1>Codes</h1>
            <p class="quiet">{event.title}</p>
            <NewCode event={event} onCreated={reloadCodes} />
            <div class="part">
              <h2 id="codes-title">Your codes</h2>
              <PagedList
                load={(cursor) => ok(listCodes(id, { cursor }))}
                items={({ codes }) => codes}
                inputs={[id, reloadCount]}
                empty="There are no codes yet."
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

const kindLabels: Record<Code['kind'], string> = {
  percent: 'Discount in percent',
  amount: 'Discount on the order',
  price: 'Price of a ticket',
  access: 'Shows hidden tiers, no discount',
};

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
      <h2>Create a code</h2>
      <Form<Values>
        submit="Create the code"
        onSubmit={create}
        onInput={({ currentTarget }) => setKind(new FormData(currentTarget).get('kind') as Code['kind'])}
      >
        <div class="pair">
          <Field
            name="code"
            label="Code"
            hint="2 to 40 letters, digits and dashes; case does not matter"
            minLength={2}
            maxLength={40}
            autocomplete="off"
            spellcheck={false}
            required
          />
          <Field name="tierId" label="Tier" as="select">
            <option value="">All tiers</option>
            {event.tiers.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Field>
        </div>
        <div class="pair">
          <Field name="kind" label="What it does" as="select">
            {Object.entries(kindLabels).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Field>
          {kind !== 'access' && (
            <Field
              name="value"
              label={kind === 'percent' ? 'Percent' : currency}
              type="number"
              min={0}
              max={kind === 'percent' ? 100 : undefined}
              step="any"
              required
            />
          )}
        </div>
        <div class="pair">
          <Field name="maxUses" label="Maximum orders" hint="Empty: any number" type="number" min={1} />
          <Field
            name="maxPerUser"
            label="Maximum orders per person"
            hint="Empty: any number"
            type="number"
            min={1}
          />
        </div>
        <div class="pair">
          <Field
            name="budget"
            label={`Maximum total discount in ${currency}`}
            type="number"
            min={0}
            step="any"
          />
          <Field name="validUntil" label="Valid until" type="datetime-local" />
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
        columns={['Code', 'What it does', 'Used', 'Tickets sold', 'Discounts', 'State', 'Actions']}
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
        <Effect code={code} currency={currency} />
        <br />
        <span class="quiet">{code.tierIds.map((id) => tierName(event, id)).join(', ') || 'All tiers'}</span>
      </td>
      <td>
        {formatUses(code, sales)}
        {code.budget !== null && (
          <>
            <br />
            <span class="quiet">
              <Money amount={code.givenAway ?? 0} currency={currency} /> of{' '}
              <Money amount={code.budget} currency={currency} />
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
          aria-label={`${code.active ? 'Deactivate' : 'Activate'} ${code.code}`}
        >
          {code.active ? 'Deactivate' : 'Activate'}
        </button>{' '}
        <button type="button" onClick={onDelete} aria-label={`Delete ${code.code}`}>
          Delete
        </button>
      </td>
    </tr>
  );
}

function Effect({ code: { kind, value }, currency }: { code: Code; currency: string }) {
  if (kind === 'access' || value === null) return <>Shows hidden tiers</>;
  if (kind === 'percent') return <>{value} % off</>;
  return (
    <>
      <Money amount={value} currency={currency} /> {kind === 'amount' ? 'off the order' : 'a ticket'}
    </>
  );
}

/**
 * Formats how many orders used a code, and the maximum. Shows the paid orders of a code without `maxUses` and `budget`,
 * for which the API returns no `uses`.
 */
function formatUses({ uses, maxUses }: Code, sales: CodeRowProps['sales']): string {
  const count = uses ?? sales?.orders ?? 0;
  return maxUses === null ? `${count}` : `${count} of ${maxUses}`;
}

function describeState(code: Code): string {
  const { active, validFrom, validUntil } = code;
  const now = Date.now();
  if (!active) return 'Inactive';
  if (validUntil && Date.parse(validUntil) < now) return 'Ended';
  if (validFrom && Date.parse(validFrom) > now) return `From ${shortTime(validFrom)}`;
  return isUsedUp(code) ? 'Used up' : 'Valid';
}

/** An access code gives no discount, so its budget is never used up. */
function isUsedUp({ kind, uses, maxUses, budget, givenAway }: Code): boolean {
  if (maxUses !== null && (uses ?? 0) >= maxUses) return true;
  return kind !== 'access' && budget !== null && (givenAway ?? 0) >= budget;
}
