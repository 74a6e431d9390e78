import { checkAuthorization } from '../../catalog/contracts/check-authorization.ts';
import { DomainError } from '../../core/errors.ts';
import { deriveId } from '../../core/ids.ts';
import { write } from '../../dynamo/write.ts';
import { insertNotification, type Notification } from '../../messaging/notifications/store.ts';
import { failFulfilment } from './conclude-mint.ts';
import type { MintRequest } from './mint-requests.ts';

/**
 * Returns the requests whose organizer may mint on the contract. The orders of other organizers fail, and their
 * organizer is notified; they can be minted later. While the chain does not show whether an organizer's wallet still
 * administers the contract, the organizer's orders stay queued.
 * @param requests mint requests for one contract
 */
export async function filterAuthorized(requests: readonly MintRequest[]): Promise<MintRequest[]> {
  const byOrganizer = [...Map.groupBy(requests, ({ organizerId }) => organizerId)];
  const authorizedGroups = await Promise.all(
    byOrganizer.map(async ([organizerId, requestsOfOrganizer]) => {
      const [{ chainId, contract: contractAddress }] = requestsOfOrganizer as [MintRequest];
      const status = await checkAuthorization({ chainId, contractAddress, organizerId });
      if (status === 'unauthorized') await Promise.all(requestsOfOrganizer.map(refuseUnauthorized));
      return status === 'authorized' ? requestsOfOrganizer : [];
    }),
  );
  return authorizedGroups.flat();
}

async function refuseUnauthorized(request: MintRequest): Promise<void> {
  const { order, contract, chainId } = request;
  const message = `You have not proved that you administer the contract ${contract} on chain ${chainId}`;
  await notifyOrganizer(request);
  await failFulfilment(order, { code: 'contract-not-authorized', message });
}

const dayMilliseconds = 24 * 60 * 60_000;

/** Notifies an organizer at most once a day for each event. */
async function notifyOrganizer({ order, organizerId, eventTitle, contract }: MintRequest): Promise<void> {
  const startOfDay = Math.floor(Date.now() / dayMilliseconds) * dayMilliseconds;
  const notification: Notification = {
    id: deriveId(`contract-not-authorized ${order.eventId} ${startOfDay}`, startOfDay),
    userId: organizerId,
    type: 'WARNING',
    title: 'Tickets can not be minted',
    message: `The tickets to ${eventTitle} are sold, but not minted: prove that you administer the contract ${contract}, or ask the platform to assign it to you. Then they are minted without further steps.`,
    read: false,
    createdAt: new Date().toISOString(),
  };
  try {
    await write(insertNotification(notification));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'notification-exists') throw error;
  }
}
