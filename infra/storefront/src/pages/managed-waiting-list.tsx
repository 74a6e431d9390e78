import { getEvent, listWaitingList, ok, type WaitingListMember } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Page } from '../components/page.tsx';
import { Failure, Loaded, PagedList, useResource } from '../components/resource.tsx';
import { Table } from '../components/table.tsx';
import { Time } from '../components/values.tsx';
import { downloadWaitingList } from '../downloads.ts';
import { tierName } from '../find-event.ts';
import { t } from '../texts/organizing.ts';

/** Who waits for tickets of an event, and who has an offer, for its organizer and managers. */
export function ManagedWaitingListPage() {
  const { id = '' } = useRoute().params;
  const resource = useResource(async () => {
    const [{ event }, { tiers }] = await Promise.all([
      ok(getEvent(id)),
      ok(listWaitingList(id, { limit: 1 })),
    ]);
    return { event, tiers };
  }, [id]);
  const [error, setError] = useState<unknown>();
  return (
    <Page
      title={
        resource.state === 'ready'
          ? t('waiting.titleOf', { event: resource.value.event.title })
          : t('waiting.title')
      }
    >
      <p>
        <a href={`/organizer/events/${id}`}>{t('sales')}</a>
      </p>
      <div class="title-row">
        <h1>{t('waiting.title')}</h1>
        <button
          type="button"
          onClick={() => downloadWaitingList(id).then(() => setError(undefined), setError)}
        >
          {t('csv')}
        </button>
      </div>
      {error !== undefined && <Failure error={error} />}
      <Loaded of={resource}>
        {({ event, tiers }) => (
          <>
            <p class="quiet">{event.title}</p>
            <Table
              columns={[t('tier'), t('waiting.waiting'), t('waiting.offers'), t('waiting.offered')]}
              aria-label={t('waiting.byTier')}
            >
              {tiers.map(({ tierId, waiting, offers, offeredTickets }) => (
                <tr key={tierId}>
                  <th scope="row">{tierName(event, tierId)}</th>
                  <td>{waiting >= 1000 ? t('waiting.many') : waiting}</td>
                  <td>{offers}</td>
                  <td>{offeredTickets}</td>
                </tr>
              ))}
            </Table>
            <div class="part">
              <PagedList
                load={(cursor) => ok(listWaitingList(id, { cursor }))}
                items={({ entries }) => entries}
                inputs={[id]}
                empty={t('waiting.none')}
              >
                {(entries) => (
                  <Table
                    columns={[t('waiting.person'), t('tickets'), t('waiting.since'), t('state')]}
                    aria-label={t('waiting.people')}
                  >
                    {entries.map((entry) => (
                      <MemberRow key={entry.id} tier={tierName(event, entry.tierId)} entry={entry} />
                    ))}
                  </Table>
                )}
              </PagedList>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function MemberRow({ tier, entry }: { tier: string; entry: WaitingListMember }) {
  const { name, email, quantity, joinedAt, offerExpiresAt } = entry;
  return (
    <tr>
      <th scope="row" class="wrap">
        {name}
        <br />
        <span class="quiet">{email}</span>
      </th>
      <td>
        {quantity} × {tier}
      </td>
      <td>
        <Time at={joinedAt} />
      </td>
      <td class="wrap">
        {offerExpiresAt
          ? t('waiting.offeredUntil', { time: <Time at={offerExpiresAt} /> })
          : t('waiting.waiting')}
      </td>
    </tr>
  );
}
