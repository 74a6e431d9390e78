import { type DoorConflict, type Event, getEvent, listAdmissions, ok, updateEvent } from 'boxoffice-client';
import { useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Check, Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, useResource } from '../components/resource.tsx';
import { Table } from '../components/table.tsx';
import { TierChoice } from '../components/tier-choice.tsx';
import { Time } from '../components/values.tsx';

/** How an event admits people, and where that went wrong, for its organizer and managers. */
export function ManagedDoorPage() {
  const { id = '' } = useRoute().params;
  const resource = useResource(async () => {
    const [{ event }, { conflicts }] = await Promise.all([ok(getEvent(id)), ok(listAdmissions(id))]);
    return { event, conflicts };
  }, [id]);
  return (
    <Page title={resource.state === 'ready' ? `Door of ${resource.value.event.title}` : 'Door'}>
      <p>
        <a href={`/organizer/events/${id}`}>Sales</a>
      </p>
      <h1>Door</h1>
      <Loaded of={resource}>
        {({ event, conflicts }) => (
          <>
            <p class="quiet">{event.title}</p>
            <p>
              <a class="button" href={`/organizer/check-in/${event.id}`}>
                Check tickets in
              </a>
            </p>
            <section class="part">
              <h2>Conflicts</h2>
              <Conflicts conflicts={conflicts} />
            </section>
            <section class="part">
              <h2>Settings</h2>
              <DoorForm event={event} />
            </section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const reasons: Record<DoorConflict['result'], string> = {
  'already-admitted': 'Used at two gates',
  refunded: 'Refunded before',
  transferred: 'Handed over before',
  'wrong-list': 'Not for this door',
  unknown: 'Not a valid ticket',
};

function Conflicts({ conflicts }: { conflicts: DoorConflict[] }) {
  if (conflicts.length === 0) {
    return <p class="empty">No device has let somebody in offline whom it should not have.</p>;
  }
  return (
    <>
      <p>
        Devices without network let these people in, although the ticket was used elsewhere or is not valid.
      </p>
      <Table columns={['Ticket', 'What happened', 'Let in', 'First']} aria-label="Conflicts">
        {conflicts.map(({ scanId, orderId, number, result, at, by, deviceId, first }) => (
          <tr key={scanId}>
            <th scope="row">
              {result === 'unknown' ? (
                'Unknown'
              ) : (
                <a href={`/organizer/orders/${orderId}`}>Ticket {number}</a>
              )}
            </th>
            <td>{reasons[result]}</td>
            <td>
              <Time at={at} />
              <br />
              <span class="quiet">
                {by}, {deviceId}
              </span>
            </td>
            <td>
              {first && (
                <>
                  <Time at={first.at} />
                  <br />
                  <span class="quiet">{[first.by, first.deviceId].filter(Boolean).join(', ')}</span>
                </>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

type CheckInList = Event['checkInLists'][number];
interface Row {
  key: number;
  stored?: CheckInList;
}

const maximumLists = 20;

function DoorForm({ event }: { event: Event }) {
  const [rows, setRows] = useState<Row[]>(() => event.checkInLists.map((stored, key) => ({ key, stored })));
  const nextKey = useRef(rows.length);
  const [isSaved, setSaved] = useState(false);
  const save = async (_: object, form: HTMLFormElement) => {
    const data = new FormData(form);
    const { event: saved } = await ok(
      updateEvent(event.id, {
        offlineMode: String(data.get('offlineMode')) as Event['offlineMode'],
        checkInLists: rows.map(({ stored }, index) => readList(data, index, stored)),
      }),
    );
    // The lists that were new have an id now.
    setRows(saved.checkInLists.map((stored) => ({ key: nextKey.current++, stored })));
    setSaved(true);
  };
  return (
    <Form
      submit="Save"
      onSubmit={save}
      onInput={() => setSaved(false)}
      footer={isSaved && <p role="status">Saved. Devices at the door have to load their page again.</p>}
    >
      <Field
        name="offlineMode"
        label="Without network, devices at the door"
        as="select"
        hint="Offline, two gates can admit the same ticket. Each such case is listed above."
      >
        <option value="ask" selected={event.offlineMode === 'ask'}>
          ask their staff whether to go on
        </option>
        <option value="automatic" selected={event.offlineMode === 'automatic'}>
          go on by themselves
        </option>
        <option value="never" selected={event.offlineMode === 'never'}>
          admit nobody
        </option>
      </Field>
      <fieldset class="tiers">
        <legend>Check-in lists</legend>
        <p class="quiet">
          Gates, days or areas with rules of their own. Without a list, each ticket is admitted once.
        </p>
        {rows.map((row, index) => (
          <ListFields
            key={row.key}
            index={index}
            stored={row.stored}
            tiers={event.tiers}
            onRemove={() => setRows(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
        {rows.length < maximumLists && (
          <p>
            <button type="button" onClick={() => setRows([...rows, { key: nextKey.current++ }])}>
              Add a list
            </button>
          </p>
        )}
      </fieldset>
    </Form>
  );
}

function readList(data: FormData, index: number, stored: CheckInList | undefined) {
  const fieldName = (field: string) => `checkInLists.${index}.${field}`;
  return {
    ...(stored && { id: stored.id }),
    name: String(data.get(fieldName('name'))),
    tierIds: data.getAll(fieldName('tierIds')).map(String),
    allowExit: data.has(fieldName('allowExit')),
    oncePer: data.has(fieldName('daily')) ? ('day' as const) : ('event' as const),
  };
}

interface ListFieldsProps {
  index: number;
  stored: CheckInList | undefined;
  tiers: Event['tiers'];
  onRemove: () => void;
}

function ListFields({ index, stored, tiers, onRemove }: ListFieldsProps) {
  const fieldName = (field: string) => `checkInLists.${index}.${field}`;
  return (
    <fieldset class="tier-row">
      <legend>{stored?.name ?? `List ${index + 1}`}</legend>
      <Field
        name={fieldName('name')}
        label="Name"
        maxLength={100}
        defaultValue={stored?.name}
        autoFocus={stored === undefined}
        required
      />
      {tiers.length > 1 && (
        <TierChoice
          name={fieldName('tierIds')}
          legend="Admits"
          hint="Without a choice: all tickets"
          tiers={tiers}
          chosen={stored?.tierIds}
        />
      )}
      <Check
        name={fieldName('allowExit')}
        label="People can go out and come in again"
        hint="They are scanned on their way out."
        defaultChecked={stored?.allowExit}
      />
      <Check
        name={fieldName('daily')}
        label="Once a day"
        hint="Otherwise once at the event."
        defaultChecked={stored?.oncePer === 'day'}
      />
      <button type="button" onClick={onRemove}>
        Remove
      </button>
    </fieldset>
  );
}
