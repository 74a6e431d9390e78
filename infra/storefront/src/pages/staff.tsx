import {
  addStaff,
  type Event,
  getEvent,
  listStaff,
  ok,
  removeStaff,
  type StaffMember,
} from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, PagedList, useResource } from '../components/resource.tsx';
import { messageOf } from '../errors.ts';
import { organizing } from '../texts/en/organizing.ts';
import { t } from '../texts/organizing.ts';

const roles = Object.keys(organizing.staff.roles) as StaffMember['role'][];

/** Who works at an event, for its organizer. */
export function StaffPage() {
  const { id = '' } = useRoute().params;
  const resource = useResource(() => ok(getEvent(id)), [id]);
  return (
    <Page title={t('staff.title')}>
      <Loaded of={resource}>{({ event }) => <Staff event={event} />}</Loaded>
    </Page>
  );
}

function Staff({ event: { id, title } }: { event: Event }) {
  const [reloadCount, setReloadCount] = useState(0);
  const [selectedRole, setSelectedRole] = useState<StaffMember['role']>('door');
  const reloadStaff = () => setReloadCount((count) => count + 1);

  const add = async (
    { email, role }: { email: string; role: StaffMember['role'] },
    form: HTMLFormElement,
  ) => {
    await ok(addStaff(id, { email, role }));
    form.reset();
    setSelectedRole('door');
    reloadStaff();
  };
  return (
    <>
      <p>
        <a href={`/organizer/events/${id}`}>{t('sales')}</a>
      </p>
      <h1>{t('staff.title')}</h1>
      <p class="quiet">{title}</p>
      <div class="panel">
        <Form<{ email: string; role: StaffMember['role'] }>
          submit={t('staff.add')}
          onSubmit={add}
          onInput={({ currentTarget }) =>
            setSelectedRole(new FormData(currentTarget).get('role') as StaffMember['role'])
          }
        >
          <Field
            name="email"
            type="email"
            label={t('staff.email')}
            hint={t('staff.emailHint')}
            autocomplete="off"
            required
          />
          <Field
            name="role"
            label={t('staff.role')}
            as="select"
            hint={t(`staff.descriptions.${selectedRole}`)}
          >
            {roles.map((role) => (
              <option key={role} value={role}>
                {t(`staff.roles.${role}`)}
              </option>
            ))}
          </Field>
        </Form>
      </div>
      <div class="part">
        <PagedList
          load={(cursor) => ok(listStaff(id, { cursor }))}
          items={({ staff }) => staff}
          inputs={[id, reloadCount]}
          empty={t('staff.none')}
        >
          {(staff) => (
            <ul class="list" aria-label={t('staff.title')}>
              {staff.map((member) => (
                <Member key={member.email} member={member} onRemoved={reloadStaff} />
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </>
  );
}

function Member({ member, onRemoved }: { member: StaffMember; onRemoved: () => void }) {
  const { eventId, name, email, role, status } = member;
  const [error, setError] = useState<unknown>();
  const remove = () => ok(removeStaff(eventId, { email })).then(onRemoved, setError);
  return (
    <li class="panel">
      <h2>{name ?? email}</h2>
      <p>
        <span class="quiet">{status === 'invited' ? t('staff.invited') : email}</span>
        <br />
        {t(`staff.roles.${role}`)}: {t(`staff.descriptions.${role}`)}
      </p>
      <p>
        <button type="button" onClick={remove}>
          {t('staff.remove', { name: name ?? email })}
        </button>
      </p>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
    </li>
  );
}
