import { checkContract } from '../../catalog/contracts/check-contract.ts';
import { type EventJob, nextPassAt } from '../../catalog/event-jobs/event-job.ts';
import {
  EventJobChanged,
  findEventJob,
  queuedJobDueAt,
  queueEventJob,
  removeEventJob,
  saveProgress,
} from '../../catalog/event-jobs/store.ts';
import type { Event } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { copyPageToAllEvents } from '../../catalog/organizer-page/change-page.ts';
import { removeCodes } from '../../catalog/promo-codes/store.ts';
import { removeAllMembers } from '../../catalog/staff/store.ts';
import { markAllEvents, reportEndpoint } from '../../catalog/webhooks/change-endpoints.ts';
import { DomainError } from '../../core/errors.ts';
import { expectUnchanged, transition } from '../../core/state-machine.ts';
import { eventOrderPartitions } from '../../dynamo/keys.ts';
import { queryAll } from '../../dynamo/read.ts';
import { transact } from '../../dynamo/write.ts';
import { insertNotification, putNotifications } from '../../messaging/notifications/store.ts';
import { insertMail, queueMails } from '../../messaging/outbox/store.ts';
import { prepareOccurrences } from '../../messaging/webhooks/store.ts';
import { retryUnauthorizedMint } from '../../orders/fulfilment/request-fulfilment.ts';
import { fulfilment } from '../../orders/lifecycle.ts';
import { cancellationNotification, holderCancellationNotification } from '../../orders/notifications.ts';
import { type Order, tenantOf, toOrder } from '../../orders/order.ts';
import { tendQueue } from '../../orders/queue/tend-queue.ts';
import { repeatSoldRefunds } from '../../orders/refunds/request-refund.ts';
import { failOrder } from '../../orders/settlement/fail-order.ts';
import { OrderTransitionRefused, transitionOrder } from '../../orders/store.ts';
import { orderOccurrence } from '../../orders/views.ts';
import { checkListings } from '../../orders/waiting-list/listed-orders.ts';
import { serveWaitingLists } from '../../orders/waiting-list/offer-tickets.ts';
import { erasePerson } from '../../privacy/erase-person.ts';
import type { Messages } from '../../runtime/messages.ts';
import { queueWhenDue, sendMessage } from '../../runtime/queue.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import { announceReschedule, mailHolders, readHolderIds } from '../../tickets/seats/mail-holders.ts';

/** Runs the work of one message. @param deadline when a job stops and queues another message (epoch milliseconds) */
export function runEventWork(message: Messages['run-event-jobs'], deadline: number): Promise<void> {
  switch (message.type) {
    case 'run-job':
      return runEventJob(message.eventId, message.kind, deadline);
    case 'check-contract':
      return checkContract(message.eventId);
    case 'offer-tickets':
      return serveWaitingLists(message.eventId, deadline);
    case 'check-listings':
      return checkListings(message.eventId, message.orderId);
    case 'tend-queue':
      return tendQueue(message.eventId);
    case 'mark-events':
      return markAllEvents(message.organizerId);
    case 'copy-page':
      return copyPageToAllEvents(message.organizerId);
    case 'report-endpoint':
      return reportEndpoint(message.organizerId, message.endpointId);
    case 'erase-person':
      return erasePerson(message.userId, deadline);
  }
}

type Step = (order: Order, event: Event, job: EventJob) => Promise<void>;

/** The idempotent step of each kind of job over an event's orders, for one order. */
const steps: Record<Exclude<EventJob['kind'], 'delete'>, Step> = {
  cancel: cancelEventOrder,
  'mint-again': retryUnauthorizedMint,
  'announce-reschedule': (order, event, { startedAt }) => announceReschedule(order, event, startedAt),
};

/** The number of orders between two writes of the cursor. */
const sliceSize = 100;
/**
 * The number of orders processed concurrently. More would conflict on the event's inventory items when they release
 * tickets.
 */
const concurrency = 5;
/** A worker's lease of a job, in milliseconds. Longer than the function's timeout. */
const leaseMilliseconds = 2 * 60_000;

/**
 * Continues a job from its cursor. After a crash, the sweep queues the job again, and its last slice is repeated.
 * @param deadline when to stop and queue another message for the other orders (epoch milliseconds)
 */
export async function runEventJob(eventId: string, kind: EventJob['kind'], deadline: number): Promise<void> {
  const job = await findEventJob(eventId, kind);
  if (!job) return;
  try {
    if (job.kind === 'delete') return await removeRemains(job);
    const event = await findEvent(eventId);
    if (!event) return await removeEventJob(job);
    const step = steps[job.kind];
    await continuePass(job, event, (order) => step(order, event, job), deadline);
  } catch (error) {
    if (!(error instanceof EventJobChanged)) throw error;
  }
}

/**
 * Removes the staff, the codes and the picture of a deleted event. Requests that have read the event before its deletion may
 * still add some, so the last pass begins after the settling time.
 */
async function removeRemains(storedJob: EventJob): Promise<void> {
  const passStartedAt = new Date().toISOString();
  const job = await saveProgress(storedJob, { passStartedAt }, Date.now() + leaseMilliseconds);
  await removeAllMembers(job.eventId);
  await removeCodes(job.eventId);
  const message = { type: 'delete-pictures', ownerId: job.eventId } as const;
  await sendMessage('resize-pictures', message, { tenant: job.organizerId });
  await endPass(job);
}

async function continuePass(
  storedJob: EventJob,
  event: Event,
  runStep: (order: Order) => Promise<void>,
  deadline: number,
): Promise<void> {
  const passStartedAt = storedJob.passStartedAt ?? new Date().toISOString();
  let job = await saveProgress(storedJob, { passStartedAt }, Date.now() + leaseMilliseconds);
  for await (const slice of readSlices(job)) {
    const failures = await runSlice(slice, runStep);
    const cursor = slice.at(-1)?.id;
    job = await saveProgress(
      job,
      {
        cursor,
        failures: job.failures + failures,
        ...(slice.some(({ mintedAt }) => mintedAt) && { hasTokens: true }),
      },
      Date.now() + leaseMilliseconds,
    );
    if (Date.now() > deadline) return requeue(job);
  }
  await endPass(job, () => announceMetadata(job, event));
}

/**
 * Makes wallets and marketplaces read the metadata of an event's tokens again after its status or date has changed.
 * Repeating it is harmless.
 */
async function announceMetadata({ kind, hasTokens }: EventJob, event: Event): Promise<void> {
  const { chainId, contractAddress: contract } = event;
  if (kind === 'mint-again' || !hasTokens || contract === null) return;
  const message = { type: 'refresh-metadata', chainId, contract, requestedAt: Date.now() } as const;
  await sendMessage('mint-tickets', message, { tenant: contract });
}

/** Removes the job when it is done, and schedules its next pass otherwise. */
async function endPass(job: EventJob, whenDone?: () => Promise<void>): Promise<void> {
  const nextDueAt = nextPassAt(job, Date.now());
  if (nextDueAt === undefined) {
    await whenDone?.();
    return removeEventJob(job);
  }
  const failedPasses = job.failures > 0 ? job.failedPasses + 1 : 0;
  await saveProgress(
    job,
    { passStartedAt: undefined, cursor: undefined, failures: 0, failedPasses },
    nextDueAt,
  );
}

/** Yields the remaining orders of the current pass, newest first. The order at the cursor is repeated. */
async function* readSlices({ eventId, cursor }: EventJob): AsyncGenerator<Order[]> {
  const source = { index: 'byEvent', partition: eventOrderPartitions(eventId), to: cursor } as const;
  let slice: Order[] = [];
  for await (const item of queryAll(source)) {
    slice.push(toOrder(item));
    if (slice.length < sliceSize) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

/** Processes orders. @returns the number of failed orders, which the next pass repeats */
async function runSlice(orders: Order[], runStep: (order: Order) => Promise<void>): Promise<number> {
  const remaining = orders.values();
  let failures = 0;
  const processRemaining = async () => {
    for (const order of remaining) {
      try {
        await runStep(order);
      } catch (error) {
        failures++;
        log.error('Order of an event job failed', error, { orderId: order.id, eventId: order.eventId });
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, processRemaining));
  return failures;
}

async function requeue(job: EventJob): Promise<void> {
  await saveProgress(job, {}, queuedJobDueAt());
  await queueEventJob(job);
}

async function findEvent(id: string): Promise<Event | undefined> {
  try {
    return await getEvent(id);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'event-not-found') return undefined;
    throw error;
  }
}

/**
 * Ends one order of a cancelled event. An unpaid order fails; a paid order becomes due for a refund; an order that has
 * ended does not change. The sweep checks a failed order until its gateway or the chain shows whether it was paid, and
 * refunds a payment that it finds. A refund that failed since a token was sold is sent now.
 */
export async function cancelEventOrder(order: Order, event: Event): Promise<void> {
  const currentOrder = await failOrder(order, 'event-cancelled', Date.now());
  if (currentOrder.paymentStatus !== 'COMPLETED') return;
  await repeatSoldRefunds(currentOrder);
  await markRefundDue(currentOrder, event);
}

async function markRefundDue(order: Order, event: Event): Promise<void> {
  if (order.fulfilmentStatus === 'refund-due') return;
  const now = Date.now();
  const timestamp = new Date(now).toISOString();
  const mail = { kind: 'event-cancelled', orderId: order.id } as const;
  const cancelTransition = transition(fulfilment, 'cancelEvent', {
    fulfilmentReason: 'event-cancelled',
    // Prevents a later posting to the ledger, which would credit the organizer.
    isPosted: true,
  });
  // The notifications come first: a marked order is not processed again. After a crash in between they are
  // repeated.
  await notifyHolders(order, event);
  const occurrences = await prepareOccurrences(
    event.organizerId,
    event.hasWebhooks,
    order.isPosted ? [] : [orderOccurrence('order.completed', order, event, timestamp)],
  );
  try {
    await transact([
      transitionOrder(order.id, [cancelTransition], timestamp, {
        nextDueAt: now + outboxDelayMilliseconds,
        unchanged: expectUnchanged(order, 'isPosted'),
      }),
      insertNotification(cancellationNotification(order, event, timestamp)),
      ...insertMail(mail, order.userId, {
        eventId: event.id,
        dueAt: now + outboxDelayMilliseconds,
        isCounted: order.totalAmount > 0n,
      }),
      ...occurrences.writes,
    ]);
    await occurrences.queue();
    incrementCounter('RefundsDue');
    await queueMails([{ content: mail, eventId: event.id }]);
    await queueWhenDue({ type: 'send-refund', orderId: order.id }, now, tenantOf(order));
  } catch (error) {
    // Another worker marked the order in the meantime, or posted it.
    if (!(error instanceof OrderTransitionRefused)) throw error;
    if (error.current.isPosted !== order.isPosted) await markRefundDue(error.current, event);
  }
}

/** Notifies and mails the holders of transferred seats. */
async function notifyHolders(order: Order, event: Event): Promise<void> {
  const holderIds = await readHolderIds(order);
  await putNotifications(holderIds.map((userId) => holderCancellationNotification(order, event, userId)));
  await mailHolders(order, event.updatedAt);
}
