import { type DoorConflict, type Event, getEvent, listAdmissions, ok, updateEvent } from 'boxoffice-client';
import { useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Check, Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, useResource } from '../components/resource.tsx';
import { Table } from '../components/table.tsx';
import { TierChoice } from '../components/tier-choice.tsx';
import { Time } from '../components/values.tsx';
import { t } from '../texts/organizing.ts';

/** How an event admits people, and where that went wrong, for its organizer and managers. */
export function ManagedDoorPage() {
  const { id = '' } = useRoute().params;
  const resource = useResource(async () => {
    const [{ event }, { conflicts }] = await Promise.all([ok(getEvent(id)), ok(listAdmissions(id))]);
    return { event, conflicts };
  }, [id]);
  return (
    <Page
      title={
        resource.state === 'ready'
          ? t('door.titleOf', { event: resource.value.event.title })
          : t('door.title')
      }
    >
      <p>
        <a href={`/organizer/events/${id}`}>{t('sales')}</a>
      </p>
      <h1>{t('door.title')}</h1>
      <Loaded of={resource}>
        {({ event, conflicts }) => (
          <>
            <p class="quiet">{event.title}</p>
            <p>
              <a class="button" href={`/organizer/check-in/${event.id}`}>
                {t('event.checkIn')}
              </a>
            </p>
            <section class="part">
              <h2>{t('door.conflicts')}</h2>
              <Conflicts conflicts={conflicts} />
            </section>
            <section class="part">
              <h2>{t('door.settings')}</h2>
              <DoorForm event={event} />
            </section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Conflicts({ conflicts }: { conflicts: DoorConflict[] }) {
  if (conflicts.length === 0) {
    return <p class="empty">{t('door.noConflicts')}</p>;
  }
  return (
    <>
      <p>{t('door.conflictsHint')}</p>
      <Table
        columns={[t('door.ticket'), t('door.happened'), t('door.letIn'), t('door.first')]}
        aria-label={t('door.conflicts')}
      >
        {conflicts.map(({ scanId, orderId, number, result, at, by, deviceId, first }) => (
          <tr key={scanId}>
            <th scope="row">
              {result === 'unknown' ? (
                t('door.unknown')
              ) : (
                <a href={`/organizer/orders/${orderId}`}>{t('door.ticketNumber', { number })}</a>
              )}
            </th>
            <td>{t(`door.results.${result}`)}</td>
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
      submit={t('save')}
      onSubmit={save}
      onInput={() => setSaved(false)}
      footer={isSaved && <p role="status">{t('door.saved')}</p>}
    >
      <Field name="offlineMode" label={t('door.offline')} as="select" hint={t('door.offlineHint')}>
        {(['ask', 'automatic', 'never'] as const).map((mode) => (
          <option key={mode} value={mode} selected={event.offlineMode === mode}>
            {t(`door.modes.${mode}`)}
          </option>
        ))}
      </Field>
      <fieldset class="tiers">
        <legend>{t('door.lists')}</legend>
        <p class="quiet">{t('door.listsHint')}</p>
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
              {t('door.addList')}
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
      <legend>{stored?.name ?? t('door.list', { number: index + 1 })}</legend>
      <Field
        name={fieldName('name')}
        label={t('name')}
        maxLength={100}
        defaultValue={stored?.name}
        autoFocus={stored === undefined}
        required
      />
      {tiers.length > 1 && (
        <TierChoice
          name={fieldName('tierIds')}
          legend={t('door.admits')}
          hint={t('door.admitsHint')}
          tiers={tiers}
          chosen={stored?.tierIds}
        />
      )}
      <Check
        name={fieldName('allowExit')}
        label={t('door.allowExit')}
        hint={t('door.allowExitHint')}
        defaultChecked={stored?.allowExit}
      />
      <Check
        name={fieldName('daily')}
        label={t('door.daily')}
        hint={t('door.dailyHint')}
        defaultChecked={stored?.oncePer === 'day'}
      />
      <button type="button" onClick={onRemove}>
        {t('remove')}
      </button>
    </fieldset>
  );
}
