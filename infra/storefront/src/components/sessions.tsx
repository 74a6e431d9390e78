import { endOtherSessions, endSession, listSessions, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { messageOf } from '../errors.ts';
import { t } from '../texts/account.ts';
import { Loaded, useResource } from './resource.tsx';
import { Time } from './values.tsx';

/** The devices that are signed in to the account. */
export function Sessions() {
  const sessions = useResource(() => ok(listSessions()), []);
  const [error, setError] = useState<unknown>();
  const end = async (request: () => Promise<unknown>) => {
    setError(undefined);
    try {
      await request();
      if (sessions.state !== 'loading') await sessions.reload();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      <h2>{t('sessions.title')}</h2>
      <Loaded of={sessions}>
        {({ sessions: list }) => (
          <>
            <ul>
              {list.map(({ id, device, place, lastUsedAt, current }) => (
                <li key={id}>
                  {device}
                  {place && `, ${place}`}{' '}
                  <span class="quiet">
                    {current
                      ? t('sessions.current')
                      : t('sessions.lastUsed', { time: <Time at={lastUsedAt} /> })}
                  </span>{' '}
                  {!current && (
                    <button
                      type="button"
                      aria-label={t('sessions.endOf', { device })}
                      onClick={() => end(() => ok(endSession(id)))}
                    >
                      {t('sessions.end')}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {list.length > 1 && (
              <p>
                <button type="button" onClick={() => end(() => ok(endOtherSessions()))}>
                  {t('sessions.endOthers')}
                </button>
              </p>
            )}
          </>
        )}
      </Loaded>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
    </>
  );
}
