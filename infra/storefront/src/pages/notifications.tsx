import { listNotifications, type Notification, ok, readAllNotifications } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Page } from '../components/page.tsx';
import { Failure, PagedList } from '../components/resource.tsx';
import { Time } from '../components/values.tsx';
import { shortTime } from '../format.ts';
import { formatMoney } from '../money.ts';
import { useSession } from '../session/user.tsx';
import { t } from '../texts/account.ts';
import { findText, loadTexts } from '../texts/texts.ts';

/** The user's notifications, newest first. */
export function NotificationsPage() {
  const { unread } = useSession();
  const [reloadCount, setReloadCount] = useState(0);
  const [error, setError] = useState<unknown>();
  const readAll = async () => {
    try {
      setError(undefined);
      await ok(readAllNotifications());
      setReloadCount(reloadCount + 1);
      if (unread.state !== 'loading') await unread.reload();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Page title={t('notifications.title')}>
      <div class="title-row">
        <h1>{t('notifications.title')}</h1>
        <button type="button" onClick={readAll}>
          {t('notifications.readAll')}
        </button>
      </div>
      {error !== undefined && <Failure error={error} />}
      <PagedList
        load={(cursor) => ok(listNotifications({ cursor }))}
        items={({ notifications }) => notifications}
        inputs={[reloadCount]}
        empty={t('notifications.none')}
      >
        {(notifications) => (
          <ul class="list">
            {notifications.map((notification) => (
              <NotificationItem key={notification.id} {...notification} />
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}

/** The API's sentences are English: other languages have their own, by topic. */
void loadTexts('notifications');

/** Returns a sentence of a notification in the page's language, otherwise the API's. */
function wordsOf(notification: Notification, part: 'title' | 'message'): string {
  const { topic, values = {} } = notification;
  const { amount, currency, deadline, mail } = values;
  const words = findText('notifications', `${topic}.${part}`, {
    ...values,
    ...(amount && { money: formatMoney(amount, `${currency}`) }),
    ...(deadline && { deadline: shortTime(`${deadline}`) }),
    ...(mail && { context: mail }),
  });
  return words ?? notification[part];
}

function NotificationItem(notification: Notification) {
  const { topic, type, read, createdAt, orderId } = notification;
  return (
    <li class={`panel notification ${type.toLowerCase()}`}>
      <h2>
        {!read && <span class="new">{t('notifications.new')}</span>} {wordsOf(notification, 'title')}
      </h2>
      <p>{wordsOf(notification, 'message')}</p>
      <p class="quiet">
        <Time at={createdAt} />
        {orderId && (
          <>
            {' '}
            · <a href={`/orders/${orderId}`}>{t('notifications.order')}</a>
          </>
        )}
        {topic === 'tickets-offered' && (
          <>
            {' '}
            · <a href="/waiting-list">{t('notifications.offer')}</a>
          </>
        )}
      </p>
    </li>
  );
}
