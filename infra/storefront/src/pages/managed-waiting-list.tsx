import { getEvent, listWaitingList, ok, type WaitingListMember } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Page } from '../components/page.tsx';
import { Failure, Loaded, PagedList, useResource } from '../components/resource.tsx';
import { Table } from '../components/table.tsx';
import { Time } from '../components/values.tsx';
import { downloadWaitingList } from '../downloads.ts';
import { tierName } from '../find-event.ts';

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
      title={resource.state === 'ready' ? `Waiting list of ${resource.value.event.title}` : 'Waiting list'}
    >
      <p>
        <a href={`/organizer/events/${id}`}>Sales</a>
      </p>
      <div class="title-row">
        <h1>Waiting list</h1>
        <button
          type="button"
          onClick={() => downloadWaitingList(id).then(() => setError(undefined), setError)}
        >
          Download as CSV
        </button>
      </div>
      {error !== undefined && <Failure error={error} />}
      <Loaded of={resource}>
        {({ event, tiers }) => (
          <>
            <p class="quiet">{event.title}</p>
            <Table columns={['Tier', 'Waiting', 'Offers', 'Tickets offered']} aria-label="Waiting by tier">
              {tiers.map(({ tierId, waiting, offers, offeredTickets }) => (
                <tr key={tierId}>
                  <th scope="row">{tierName(event, tierId)}</th>
                  <td>{waiting >= 1000 ? '1000 or more' : waiting}</td>
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
                empty="Nobody is waiting."
              >
                {(entries) => (
                  <Table columns={['Person', 'Tickets', 'Since', 'State']} aria-label="People">
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
        {offerExpiresAt ? (
          <>
            Offered until <Time at={offerExpiresAt} />
          </>
        ) : (
          'Waiting'
        )}
      </td>
    </tr>
  );
}
