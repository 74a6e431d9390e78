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

const roles: Record<StaffMember['role'], { name: string; description: string }> = {
  door: {
    name: 'At the door',
    description: 'Checks tickets in and looks people up by name. Does not see e-mail addresses.',
  },
  manager: { name: 'Manager', description: 'Does everything but payouts, staff and deleting the event.' },
};

/** Who works at an event, for its organizer. */
export function StaffPage() {
  const { id = '' } = useRoute().params;
  const resource = useResource(() => ok(getEvent(id)), [id]);
  return (
    <Page title="Staff">
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
        <a href={`/organizer/events/${id}`}>Sales</a>
      </p>
      <h1>Staff</h1>
      <p class="quiet">{title}</p>
      <div class="panel">
        <Form<{ email: string; role: StaffMember['role'] }>
          submit="Add"
          onSubmit={add}
          onInput={({ currentTarget }) =>
            setSelectedRole(new FormData(currentTarget).get('role') as StaffMember['role'])
          }
        >
          <Field
            name="email"
            type="email"
            label="E-mail"
            hint="They can work once an account has confirmed this address. Addresses that nobody has confirmed get a mail."
            autocomplete="off"
            required
          />
          <Field name="role" label="Role" as="select" hint={roles[selectedRole].description}>
            {Object.entries(roles).map(([role, { name }]) => (
              <option key={role} value={role}>
                {name}
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
          empty="Nobody but you works at this event."
        >
          {(staff) => (
            <ul class="list" aria-label="Staff">
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
        <span class="quiet">
          {status === 'invited' ? 'Invited: this address is not confirmed yet' : email}
        </span>
        <br />
        {roles[role].name}: {roles[role].description}
      </p>
      <p>
        <button type="button" onClick={remove}>
          Remove {name ?? email}
        </button>
      </p>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
    </li>
  );
}
