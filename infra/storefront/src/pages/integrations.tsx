import {
  type ApiKey,
  createEndpoint,
  createKey,
  deleteEndpoint,
  deleteKey,
  listDeliveries,
  listEndpoints,
  listKeys,
  ok,
  retryDelivery,
  rotateSecret,
  sendTest,
  updateEndpoint,
  type WebhookDelivery,
  type WebhookEndpoint,
} from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Confirmation } from '../components/confirmation.tsx';
import { Check, Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, PagedList, useResource } from '../components/resource.tsx';
import { Table } from '../components/table.tsx';
import { messageOf } from '../errors.ts';
import { shortTime } from '../format.ts';

/** An organizer's API keys and webhook endpoints. */
export function IntegrationsPage() {
  return (
    <Page title="Integrations">
      <p>
        <a href="/organizer">My events</a>
      </p>
      <h1>Integrations</h1>
      <Keys />
      <Endpoints />
    </Page>
  );
}

/** Shows a secret that can't be read again. */
function Secret({ of, secret }: { of: string; secret: string }) {
  return (
    <div class="panel" role="status">
      <p>{of} Copy it now: it is not shown again.</p>
      <p>
        <code>{secret}</code>
      </p>
    </div>
  );
}

const scopeLabels: Record<ApiKey['scopes'][number], string> = {
  'events:read': 'Read events',
  'events:write': 'Create and change events',
  'orders:read': 'Read orders and attendees',
  'orders:refund': 'Refund orders',
  'check-in': 'Check tickets in',
  'codes:write': 'Manage codes',
  'waiting-list:read': 'Read waiting lists',
  'webhooks:write': 'Manage webhook endpoints',
};
type ScopeName = ApiKey['scopes'][number];

function Keys() {
  const [reloadCount, setReloadCount] = useState(0);
  const [secret, setSecret] = useState<string>();
  const resource = useResource(() => ok(listKeys()), [reloadCount]);
  const reload = () => setReloadCount((count) => count + 1);
  const create = async ({ name, ...ticked }: Record<string, string>, form: HTMLFormElement) => {
    const scopes = Object.keys(ticked) as ScopeName[];
    const created = await ok(createKey({ name: name ?? '', scopes }));
    setSecret(created.secret);
    form.reset();
    reload();
  };
  return (
    <section class="part">
      <h2>API keys</h2>
      <p class="quiet">A program that has a key acts for you, within what you allow here.</p>
      <div class="panel">
        <Form<Record<string, string>> submit="Create the key" onSubmit={create}>
          <Field name="name" label="Name of the key" maxLength={100} autocomplete="off" required />
          <fieldset class="field">
            <legend>What it may do</legend>
            {Object.entries(scopeLabels).map(([scope, label]) => (
              <Check key={scope} name={scope} label={label} />
            ))}
          </fieldset>
        </Form>
      </div>
      {secret && <Secret of="This is the new key." secret={secret} />}
      <Loaded of={resource}>
        {({ keys }) =>
          keys.length === 0 ? (
            <p>There are no keys yet.</p>
          ) : (
            <Table aria-label="API keys" columns={['Name', 'Begins with', 'May', 'Last used', 'Actions']}>
              {keys.map(({ id, name, prefix, scopes, lastUsedAt }) => (
                <tr key={id}>
                  <td>{name}</td>
                  <td>
                    <code>{prefix}</code>
                  </td>
                  <td>{scopes.map((scope) => scopeLabels[scope]).join(', ')}</td>
                  <td>{lastUsedAt ? shortTime(lastUsedAt) : 'Never'}</td>
                  <td>
                    <Confirmation
                      button="Delete"
                      title={`Delete the key ${name}?`}
                      submit="Delete the key"
                      onConfirm={async () => {
                        await ok(deleteKey(id));
                        reload();
                      }}
                    >
                      <p>Programs that use it are refused within half a minute.</p>
                    </Confirmation>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </section>
  );
}

const typeLabels: Record<WebhookEndpoint['types'][number], string> = {
  'order.completed': 'An order is paid',
  'order.refunded': 'Money goes back',
  'order.failed': 'An order is not paid',
  'ticket.minted': 'Tickets are on the chain',
  'ticket.transferred': 'A ticket is passed on',
  'ticket.checked_in': 'Somebody is admitted',
  'event.updated': 'An event changes',
  'event.cancelled': 'An event is cancelled',
  'waiting_list.offered': 'Somebody who waits gets an offer',
  'payout.completed': 'A payout has arrived',
  'payout.failed': 'A payout failed',
};

function Endpoints() {
  const [reloadCount, setReloadCount] = useState(0);
  const [secret, setSecret] = useState<string>();
  const resource = useResource(() => ok(listEndpoints()), [reloadCount]);
  const reload = () => setReloadCount((count) => count + 1);
  const create = async ({ url, ...ticked }: Record<string, string>, form: HTMLFormElement) => {
    const types = Object.keys(ticked) as WebhookEndpoint['types'];
    const created = await ok(createEndpoint({ url: url ?? '', types }));
    setSecret(created.secret);
    form.reset();
    reload();
  };
  return (
    <section class="part">
      <h2>Webhooks</h2>
      <p class="quiet">We tell your system what happens, as soon as it happens.</p>
      <div class="panel">
        <Form<Record<string, string>> submit="Add the endpoint" onSubmit={create}>
          <Field name="url" type="url" label="Address" hint="It begins with https://" required />
          <fieldset class="field">
            <legend>Tell it when</legend>
            {Object.entries(typeLabels).map(([type, label]) => (
              <Check key={type} name={type} label={label} />
            ))}
          </fieldset>
        </Form>
      </div>
      {secret && <Secret of="This secret verifies what we send." secret={secret} />}
      <Loaded of={resource}>
        {({ endpoints }) => (
          <>
            {endpoints.length === 0 && <p>There are no endpoints yet.</p>}
            {endpoints.map((endpoint) => (
              <Endpoint key={endpoint.id} endpoint={endpoint} onChanged={reload} />
            ))}
          </>
        )}
      </Loaded>
    </section>
  );
}

const disabledReasons: Record<NonNullable<WebhookEndpoint['disabledReason']>, string> = {
  gone: 'Switched off: it answered that it is gone.',
  failing: 'Switched off: nothing has arrived for five days.',
  organizer: 'Switched off.',
};

function Endpoint({
  endpoint: { id, url, types, eventIds, description, expand, status, disabledReason },
  onChanged,
}: {
  endpoint: WebhookEndpoint;
  onChanged: () => void;
}) {
  const [reloadCount, setReloadCount] = useState(0);
  const [error, setError] = useState<unknown>();
  const [secret, setSecret] = useState<string>();
  const reload = () => setReloadCount((count) => count + 1);
  const send = async (request: () => Promise<unknown>) => {
    setError(undefined);
    try {
      await request();
      reload();
    } catch (failure) {
      setError(failure);
    }
  };
  const enable = async () => {
    await ok(updateEndpoint(id, { url, types, eventIds: eventIds ?? undefined, description, expand }));
    onChanged();
  };
  return (
    <article class="panel">
      <h3>{url}</h3>
      {status === 'disabled' && <p role="alert">{disabledReasons[disabledReason ?? 'organizer']}</p>}
      <p class="actions">
        {status === 'disabled' && (
          <button type="button" onClick={() => send(enable)}>
            Switch on
          </button>
        )}
        <button type="button" onClick={() => send(() => ok(sendTest(id)))}>
          Send a test
        </button>
        <button type="button" onClick={reload}>
          Refresh
        </button>
        <Confirmation
          button="New secret"
          title="Replace the secret?"
          submit="Replace the secret"
          onConfirm={async () => setSecret((await ok(rotateSecret(id))).secret)}
        >
          <p>For a day, what we send is signed with the old secret too.</p>
        </Confirmation>
        <Confirmation
          button="Delete"
          title="Delete this endpoint?"
          submit="Delete the endpoint"
          onConfirm={async () => {
            await ok(deleteEndpoint(id));
            onChanged();
          }}
        >
          <p>Nothing more is sent to {url}, not even what waits.</p>
        </Confirmation>
      </p>
      {secret && <Secret of="This is the new secret." secret={secret} />}
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <PagedList
        load={(cursor) => ok(listDeliveries(id, { cursor }))}
        items={({ deliveries }) => deliveries}
        inputs={[id, reloadCount]}
        empty="Nothing was sent yet."
      >
        {(deliveries) => (
          <Table aria-label={`Sent to ${url}`} columns={['Message', 'Created', 'State', 'Answer', 'Actions']}>
            {deliveries.map((delivery) => (
              <tr key={delivery.id}>
                <td>{delivery.type}</td>
                <td>{shortTime(delivery.createdAt)}</td>
                <td>{describeState(delivery)}</td>
                <td>
                  {delivery.statusCode} {delivery.answer}
                </td>
                <td>
                  <button type="button" onClick={() => send(() => ok(retryDelivery(id, delivery.id)))}>
                    Send again
                  </button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </PagedList>
    </article>
  );
}

function describeState({ status, attempts, nextAttemptAt }: WebhookDelivery): string {
  if (status === 'delivered') return 'Delivered';
  if (status === 'failed') return 'Given up';
  return attempts === 0 || !nextAttemptAt ? 'On its way' : `Next attempt ${shortTime(nextAttemptAt)}`;
}
