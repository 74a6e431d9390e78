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
import { organizing } from '../texts/en/organizing.ts';
import { t } from '../texts/organizing.ts';

/** An organizer's API keys and webhook endpoints. */
export function IntegrationsPage() {
  return (
    <Page title={t('integrations.title')}>
      <p>
        <a href="/organizer">{t('myEvents')}</a>
      </p>
      <h1>{t('integrations.title')}</h1>
      <Keys />
      <Endpoints />
    </Page>
  );
}

/** Shows a secret that can't be read again. */
function Secret({ of, secret }: { of: string; secret: string }) {
  return (
    <div class="panel" role="status">
      <p>
        {of} {t('integrations.copyNow')}
      </p>
      <p>
        <code>{secret}</code>
      </p>
    </div>
  );
}

type ScopeName = ApiKey['scopes'][number];
const scopeNames = Object.keys(organizing.integrations.scopes) as ScopeName[];

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
      <h2>{t('integrations.keys')}</h2>
      <p class="quiet">{t('integrations.keysHint')}</p>
      {secret && <Secret of={t('integrations.newKey')} secret={secret} />}
      <Loaded of={resource}>
        {({ keys }) =>
          keys.length === 0 ? (
            <p>{t('integrations.noKeys')}</p>
          ) : (
            <Table
              aria-label={t('integrations.keys')}
              columns={[
                t('name'),
                t('integrations.beginsWith'),
                t('integrations.mayColumn'),
                t('integrations.lastUsed'),
                t('actions'),
              ]}
            >
              {keys.map(({ id, name, prefix, scopes, lastUsedAt }) => (
                <tr key={id}>
                  <td>{name}</td>
                  <td>
                    <code>{prefix}</code>
                  </td>
                  <td>{scopes.map((scope) => t(`integrations.scopes.${scope}`)).join(', ')}</td>
                  <td>{lastUsedAt ? shortTime(lastUsedAt) : t('integrations.never')}</td>
                  <td>
                    <Confirmation
                      button={t('delete')}
                      title={t('integrations.deleteKeyTitle', { name })}
                      submit={t('integrations.deleteKey')}
                      onConfirm={async () => {
                        await ok(deleteKey(id));
                        reload();
                      }}
                    >
                      <p>{t('integrations.deleteKeyText')}</p>
                    </Confirmation>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      <div class="panel part">
        <Form<Record<string, string>> submit={t('integrations.createKey')} onSubmit={create}>
          <Field name="name" label={t('integrations.keyName')} maxLength={100} autocomplete="off" required />
          <fieldset class="field choices wide">
            <legend>{t('integrations.may')}</legend>
            {scopeNames.map((scope) => (
              <Check key={scope} name={scope} label={t(`integrations.scopes.${scope}`)} />
            ))}
          </fieldset>
        </Form>
      </div>
    </section>
  );
}

/** The types of messages, such as order.completed. */
const types = Object.entries(organizing.integrations.types).flatMap(([subject, changes]) =>
  Object.keys(changes).map((change) => `${subject}.${change}`),
) as WebhookEndpoint['types'];

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
      <h2>{t('integrations.webhooks')}</h2>
      <p class="quiet">{t('integrations.webhooksHint')}</p>
      {secret && <Secret of={t('integrations.secret')} secret={secret} />}
      <Loaded of={resource}>
        {({ endpoints }) => (
          <>
            {endpoints.length === 0 && <p>{t('integrations.noEndpoints')}</p>}
            {endpoints.map((endpoint) => (
              <Endpoint key={endpoint.id} endpoint={endpoint} onChanged={reload} />
            ))}
          </>
        )}
      </Loaded>
      <div class="panel part">
        <Form<Record<string, string>> submit={t('integrations.addEndpoint')} onSubmit={create}>
          <Field
            name="url"
            type="url"
            label={t('integrations.address')}
            hint={t('integrations.addressHint')}
            required
          />
          <fieldset class="field choices wide">
            <legend>{t('integrations.tellWhen')}</legend>
            {types.map((type) => (
              <Check key={type} name={type} label={t(`integrations.types.${type}`)} />
            ))}
          </fieldset>
        </Form>
      </div>
    </section>
  );
}

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
      {status === 'disabled' && (
        <p role="alert">{t(`integrations.disabled.${disabledReason ?? 'organizer'}`)}</p>
      )}
      <p class="actions">
        {status === 'disabled' && (
          <button type="button" onClick={() => send(enable)}>
            {t('integrations.switchOn')}
          </button>
        )}
        <button type="button" onClick={() => send(() => ok(sendTest(id)))}>
          {t('integrations.sendTest')}
        </button>
        <button type="button" onClick={reload}>
          {t('integrations.refresh')}
        </button>
        <Confirmation
          button={t('integrations.newSecret')}
          title={t('integrations.replaceTitle')}
          submit={t('integrations.replace')}
          onConfirm={async () => setSecret((await ok(rotateSecret(id))).secret)}
        >
          <p>{t('integrations.replaceText')}</p>
        </Confirmation>
        <Confirmation
          button={t('delete')}
          title={t('integrations.deleteEndpointTitle')}
          submit={t('integrations.deleteEndpoint')}
          onConfirm={async () => {
            await ok(deleteEndpoint(id));
            onChanged();
          }}
        >
          <p>{t('integrations.deleteEndpointText', { url })}</p>
        </Confirmation>
      </p>
      {secret && <Secret of={t('integrations.isNewSecret')} secret={secret} />}
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <PagedList
        load={(cursor) => ok(listDeliveries(id, { cursor }))}
        items={({ deliveries }) => deliveries}
        inputs={[id, reloadCount]}
        empty={t('integrations.nothingSent')}
      >
        {(deliveries) => (
          <Table
            aria-label={t('integrations.sentTo', { url })}
            columns={[
              t('integrations.message'),
              t('integrations.created'),
              t('state'),
              t('integrations.answer'),
              t('actions'),
            ]}
          >
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
                    {t('integrations.sendAgain')}
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
  if (status === 'delivered') return t('integrations.delivered');
  if (status === 'failed') return t('integrations.givenUp');
  return attempts === 0 || !nextAttemptAt
    ? t('integrations.onItsWay')
    : t('integrations.nextAttempt', { time: shortTime(nextAttemptAt) });
}
