import type { Replacement } from './core/build.ts';
import type { ScenarioName } from './history.ts';

/** Deliberate bugs, one of which each run has. The simulation has to find each of them: see bugs.md. */
export interface Bug {
  name: string;
  /** The scenario of the histories that find it. */
  scenario: ScenarioName;
  replacements: Replacement[];
}

/** The bugs of each file: the name, a text of the file and its replacement, which may be left out, and further pairs. */
// biome-ignore format: a bug a line
const bugsByFile: Record<string, [name: string, ...texts: string[]][]> = {
  'shared/orders/settlement/settle-order.ts': [
    ['settle: a short payment is accepted', 'amount < order.totalAmount', 'amount < 0n'],
    ['settle: a payment in another currency is accepted', 'currency !== undefined && currency !== order.currency', 'currency === ""'],
    ['settle: a return that was reported before the payment is not asked about', '  if (!reportedReturn || !gateway) return undefined;', '  if (reportedReturn || !gateway || !reportedReturn) return undefined;'],
    ['settle: an order whose card was declined is not asked about again', "const nextDueAt = gateway.closesCheckout ? 'never' : nextLateCheckAt(order);", "const nextDueAt = gateway.closesCheckout || order ? 'never' : nextLateCheckAt(order);"],
  ],
  'shared/orders/settlement/complete-order.ts': [
    ['settle: a late payment completes without tickets', 'await reserveOrderTickets(plan);\n    return plan.order;', 'await transact(plan.writes);\n    return plan.order;'],
    ['settle: a return that is reported during the settlement', "expectUnchanged(order, 'reportedReturn', 'otherPayments', 'buyer')", "expectUnchanged(order, 'otherPayments', 'buyer')"],
  ],
  'shared/orders/settlement/fail-order.ts': [
    ['settle: the order keeps being counted as unpaid', 'await releaseOrderTickets(order, writes, {\n      endsUnpaid: isAccount && endsUnpaid,\n      kept: restored?.tickets ?? [],\n    });', 'await transact(writes);'],
  ],
  'shared/catalog/inventory/store.ts': [
    ['reserve: the condition on free tickets', "'#saleVersion = :version AND #available >= :quantity'", "'#saleVersion = :version AND (#available >= :quantity OR #available < :quantity)'"],
    ['delete: an event that ever had an order', ' AND #available = :free AND attribute_not_exists(#ordered)', ' AND #available = :free'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the source
    ['limits: tickets per tier', '#${counter} <= :maximum_${counter})`,', '#${counter} <= :maximum_${counter} OR :maximum_${counter} = :maximum_${counter})`,'],
    ['reserve: the condition on the version of the sale', "'#saleVersion = :version AND #available >= :quantity'", "'(#saleVersion = :version OR #saleVersion <> :version) AND #available >= :quantity'"],
  ],
  'shared/orders/checkout/reserve-tickets.ts': [
    ['reserve: a change of the event in between is not retried', 'error instanceof InventoryChanged', 'false'],
    ['release: the buyer stays counted', 'return [uncountPurchase(order, openCountOf(order), unpaidHolds), ...uncountUse(order)];', 'return uncountUse(order);'],
    ['release: the use of the code stays counted', 'return [uncountPurchase(order, openCountOf(order), unpaidHolds), ...uncountUse(order)];', 'return [uncountPurchase(order, openCountOf(order), unpaidHolds)];'],
  ],
  'shared/orders/waiting-list/end-entry.ts': [
    ['waiting list: the tickets of an ended offer stay held', 'const items = [{ tierId, quantity: heldByOffer(entry) }];', 'const items = [{ tierId, quantity: 0 }];'],
  ],
  'shared/orders/checkout/draft-order.ts': [
    ['waiting list: everybody can buy', 'if (refused)\n', 'if (refused && !event)\n'],
    ['guest: several unpaid orders', 'guest || isQueued(event, now) ? 1 : maximumOpenOrders()', 'maximumOpenOrders()'],
  ],
  'shared/accounts/auth/reset-password.ts': [
    ['passwords: the repetition of a reset whose answer was lost is refused', 'if (!(await verifyPassword(password, error.passwordHash))) throw invalidLink;', 'throw invalidLink;'],
  ],
  'shared/accounts/auth/attach-guest.ts': [
    ['attach: the access tokens stay valid', ', endSessions(guestId, new Date().toISOString())]', ']'],
  ],
  'shared/orders/refunds/refund-order.ts': [
    ['refund: the seats stay held', 'await (released?.holdsInventory ? releaseOrderTickets(released, writes) : transact(writes));', 'await transact(writes);'],
    ['refund: the credit is not reversed', 'if (!isCredited) return [];', 'return [];'],
    ['refund: the condition on used seats', "      ...(refusesUsedSeats && expectUnchanged(order, 'admitted', 'admissionsUndone', 'transferred')),\n"],
    ['refund: the tokens are not burned', '    ...(burn?.writes ?? []),\n'],
    ['refund: the condition on other refunds of the order', "        'refunds',\n        'listings',\n"],
    ['refund part: the seats are not kept as returned', '...(refund.seats && { returned }),'],
    ['refund part: the use of the code is released', 'return { ...order, items: itemsOfSeats(order, seats), redemption: undefined };', 'return { ...order, items: itemsOfSeats(order, seats) };'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the source
    ['refund part: all refunds of an order have one key', "number === undefined ? `refund-${orderId}` : `refund-${orderId}-${number}`", '`refund-${orderId}${number === 0}`'],
    ['refund part: the sweep does not find it', "    ...(status === 'pending' && !isFinal ? [scheduleRefund(order, Date.parse(timestamp))] : []),\n"],
  ],
  'shared/orders/invoice.ts': [
    ['invoices: a refund has no credit note', 'refundedAmountOf(order) < order.totalAmount', 'refundedAmountOf(order) > order.totalAmount'],
  ],
  'shared/orders/shares.ts': [
    ['return: the fee goes back to the buyer', 'const amount = payable - kept;', 'const amount = payable;'],
    ['return: what is kept of a disputed payment', 'if (isFinal && request.includesKept && order.refunds) {', 'if (isFinal && request.includesKept && !order) {'],
    ['return: a fee is kept of a disputed payment', 'request.includesKept ? 0 : ', ''],
  ],
  'shared/orders/refunds/send-refund.ts': [
    ['refund: done although the gateway only accepted it', "result?.state === 'done'", 'result'],
    ['refund part: the rest of a payment that the dashboard returned a part of', 'number === undefined ? order : await recordWholeReturn(order)', 'order'],
  ],
  'shared/tickets/seats/store.ts': [
    ['check-in: the condition on an earlier admission', '    checkedInAt: absent,\n'],
  ],
  'shared/orders/store.ts': [
    ['check-in: the condition on refunded seats', ' AND NOT contains(#returned, :number)', ' AND (NOT contains(#returned, :number) OR attribute_exists(#returned))'],
    ['check-in: the condition on the order', "{ paymentStatus: 'COMPLETED', holdsInventory: true, refund: absent } as const", "{ paymentStatus: 'COMPLETED' } as const"],
  ],
  'shared/tickets/check-in/check-in-seat.ts': [
    ['check-in: the admission is not counted', '[countAdmission(event.id)]', '[]'],
    ['webhooks: the row of the outbox is forgotten at the door', '    ...occurrences.writes,\n'],
    ['check-in: everybody may scan', "  authorize(caller, [admin, await staffOf(event, caller)], caller.key ? notFound('Order') : notStaff());\n"],
    ['check-in: the owner of the token is not compared', 'if (isOwnedByHolder === false && !', 'if (isOwnedByHolder === false && false && !'],
  ],
  'shared/orders/fulfilment/fulfil-orders.ts': [
    ['post: the condition that it is not posted yet', '      isPosted: absent,\n'],
    ['invoices: the numbers of posted orders are not taken', '    ...invoices.writes,\n'],
    ['post: the row of the outbox is forgotten', '    ...paidOrders.flatMap(mailWrites),\n'],
    ['webhooks: the row of the outbox is forgotten when an order is posted', '    ...occurrences.writes,\n  ]);\n  await occurrences.queue();', '  ]);\n  await occurrences.queue();'],
    ['webhooks: the row of the outbox is written after the order is posted', '    ...occurrences.writes,\n  ]);\n  await occurrences.queue();', '  ]);\n  await transact(occurrences.writes);\n  await occurrences.queue();'],
    ['post: an order due for a refund is credited', "return order.fulfilmentStatus !== 'refund-due';", 'return order !== undefined;'],
  ],
  'shared/dynamo/write.ts': [
    ['writes: the write id is skipped', 'const item = withWriteId(operation.item, id);', 'const item = operation.item;'],
    ['writes: a conflict is not retried', 'isRetryable: (error) => isCanceledFor(error, [...throttlingCodes, conflictCode]),', 'isRetryable: () => false,'],
  ],
  'shared/http/idempotency.ts': [
    ['idempotency: the key is released too early', 'await storeAnswer(claim, JSON.stringify(answer));', 'await releaseKey(claim);'],
    ['idempotency: another call takes over at once', 'if (waitSeconds > 0 ||', 'if ('],
  ],
  'shared/jobs/sweep/quotas.ts': [
    ['sweep: the lease never ends', 'return now + Math.min(maximum, Math.max(minimum, now - since));', 'return now + 1000 * Math.min(maximum, Math.max(minimum, now - since));'],
  ],
  'shared/payments/webhook-endpoint.ts': [
    ['webhooks: errors are acknowledged', 'await processSignal(signal).catch(requestRedelivery);', 'await processSignal(signal).catch(() => {});'],
  ],
  'shared/messaging/webhooks/store.ts': [
    ['webhooks: an occurrence is done before its deliveries are stored', '      ...deliveries.map(putDelivery),\n    ]);', '    ]);\n    for (const delivery of deliveries) await write(putDelivery(delivery));'],
    ['webhooks: the copies of an erased person stay', '    await write(update(key, { set: { view: undefined } }));\n'],
    ['webhooks: who pulls is shown what has just happened', 'const settlingMilliseconds = 60_000;', 'const settlingMilliseconds = -60_000;'],
    ['webhooks: nobody tells the events of a new endpoint after a crash', '  set: dueAttributes(organizerId, Date.now() + outboxDelayMilliseconds),\n'],
  ],
  'shared/messaging/webhooks/deliver.ts': [
    ['webhooks: a redirect counts as delivered', 'statusCode < 300', 'statusCode < 400'],
    ['webhooks: an attempt is not followed by another', 'await postpone(delivery, Date.now() + pause, { ...result, attempts });', "await recordAttempt(delivery, { ...result, attempts, status: 'failed' });"],
  ],
  'shared/payments/gateway-a.ts': [
    ['webhooks: the signature is not compared', 'if (!keys.some((key) => isSameSecret(signature, sign(key)))) {', 'if (keys.some((key) => isSameSecret(signature, sign(key))) && body.length === 0) {'],
  ],
  'shared/chain/read-payment.ts': [
    ['crypto: the reference of the payment is not compared', "? undefined : 'reference'", '? undefined : undefined'],
    ['crypto: a payment counts before its block is final', 'if (Number(receipt.blockNumber) > finalBlock)', 'if (Number(receipt.blockNumber) > finalBlock + 100)'],
  ],
  'shared/money/payouts/request-payout.ts': [
    ['payouts: the balance need not suffice', "when: '#available >= :amount'", "when: '(#available >= :amount OR #available < :amount)'"],
  ],
  'shared/orders/refunds/disputes.ts': [
    ['disputes: nothing is reserved', "...(order.openDisputes ? [] : await shareWrites(order, 'reserved')),"],
    ['disputes: the reserve stays when the merchant has won', "...(openDisputes ? await shareWrites(order, 'released') : []),"],
    ['disputes: two reports at once reserve twice', "...expectUnchanged(order, 'wonDisputes', 'isPosted', 'openDisputes', 'refunds'),", "...expectUnchanged(order, 'wonDisputes', 'isPosted', 'refunds'),"],
  ],
  'shared/money/payouts/settle-payout.ts': [
    ['payouts: the ledger misses what arrived', '      ...postEntry(entry),\n      auditWrite,', '      auditWrite,'],
  ],
  'shared/orders/settlement/end-order.ts': [
    ['orders: everybody may cancel', "  authorize(caller, [buyerOf(order)], notFound('Order'));\n"],
  ],
  'shared/orders/lifecycle.ts': [
    ['settle: the lifecycle lets a failed order settle as if it were pending', "from: 'PENDING',\n    event: 'settle',", "from: ['PENDING', 'FAILED', 'COMPLETED'],\n    event: 'settle',"],
  ],
  'shared/tickets/request-lock.ts': [
    ['lock: every event locks its admitted tickets', '!event.lockAfterAdmission || '],
  ],
  'shared/jobs/event-jobs/run-event-jobs.ts': [
    ['webhooks: an order of a cancelled event is not reported', 'order.isPosted ? []', 'order ? []'],
    ['cancel: the changed metadata is not announced', '    await whenDone?.();\n'],
  ],
  'shared/nft/nonce/store.ts': [
    ['nonces: two workers get the same one', "'attribute_not_exists(#pk)' : '#nextNonce = :nonce'", "'attribute_not_exists(#pk)' : '(#nextNonce = :nonce OR #nextNonce <> :nonce)'", "{ when: 'attribute_not_exists(#pk)', orThrow: () => new AlreadyDoneByOther() },", '{ orThrow: () => new AlreadyDoneByOther() },'],
  ],
  'shared/nft/nonce/check-nonce.ts': [
    ['nonces: an order without a receipt gets another one', 'if (outcomes.some(mayNeedRebroadcast)) await', "if (Date.now() - firstAttempt(transaction).at > 20_000) {\n      const mints = orders.map(() => null);\n      await finalize(storedNonce, { kind: 'nonce-replaced', isFinal: true, mints, burned: [] });\n      return true;\n    }\n    if (outcomes.some(mayNeedRebroadcast)) await"],
    ['nonces: a transaction is sent before it is stored', '    try {\n      await transact([', '    await broadcast(connection, lastAttempt(transaction).raw);\n    try {\n      await transact(['],
    ['nonces: a dropped transaction is not sent again', 'if (outcomes.some(mayNeedRebroadcast)) await rebroadcast(connection, transaction, orders, outcomes);', 'void rebroadcast;'],
    ['nonces: a check is not followed by another', 'if (reschedule) await scheduleCheck(connection.chain, transaction, ageMilliseconds);', 'void reschedule;'],
  ],
  'shared/nft/nonce/rebroadcast.ts': [
    ['nonces: one that nobody uses is not cancelled', '  await Promise.all(unboundReferences.map((reference) => cancelUnbound(connection, reference)));\n'],
    ['nonces: a replacement is not stored', 'if (!(await appendAttempt(transaction, attempt))) return undefined;', 'void appendAttempt;'],
  ],
  'shared/chain/transactions.ts': [
    ['nonces: a replacement raises one fee only', 'max(raiseFee(previous.maxPriorityFeePerGas), market.maxPriorityFeePerGas)', 'previous.maxPriorityFeePerGas'],
  ],
  'shared/chain/connection.ts': [
    ['nodes: the answer of one suffices', 'Math.min(2, nodes.length)', '1'],
  ],
  'shared/chain/outcome.ts': [
    ['nodes: a receipt counts before its block is final', 'const isFinal = Number(receipt.blockNumber) <= finalBlock;', 'const isFinal = Number(receipt.blockNumber) <= finalBlock + 100;'],
  ],
  'shared/nft/minting/finalize-mint.ts': [
    ['mint: the number of tokens is not compared', 'if (length !== quantity) return', 'if (false) return'],
    ['mint: the wallet is not compared', 'if (mint.to !== destination.to)', 'if (false)'],
    ['mint: the order is minted before its tickets are stored', 'await mapInChunks(tickets, (ticket)', 'void mapInChunks(tickets, (ticket)'],
    ['mint: tokens of a refunded order stay', '      await burnUnwanted(order, { chainId, contract }, mint);\n', '      void burnUnwanted;\n'],
  ],
  'shared/nft/minting/mint-orders.ts': [
    ['mint: an order that the contract knows is minted again', 'if (quantity === 0) unmintedRequests', 'if (quantity >= 0) unmintedRequests'],
  ],
  'shared/nft/burning/burn-tickets.ts': [
    ['burn: the tickets are not marked', 'if (seat !== undefined) await markBurned(userId, ticketId(orderId, seat), tokenId, timestamp);', 'void [seat, markBurned, ticketId];'],
    ['reissue: the tokens are minted again without a burn', '  const tokenIds = nextTokens(burn, firstTokenId(key));\n', '  const tokenIds = nextTokens(burn, firstTokenId(key));\n  if (isReissue(burn, order)) return finalizeReissue(burn, order, minter.address, tokenIds.map(String));\n'],
  ],
  'shared/nft/reissuing/finalize-reissue.ts': [
    ['reissue: a token that was sold is minted again', 'return tokenIds.map((tokenId) => burnedIds.has(String(tokenId)));', 'return tokenIds.map(() => true);'],
  ],
  'shared/nft/minting/mint-requests.ts': [
    ['reissue: the new tokens keep the key of the old ones', 'deriveOrderKey(chainId, contract, order.id, issueNumber(order))', 'deriveOrderKey(chainId, contract, order.id)'],
  ],
  'shared/chain/token-owner.ts': [
    ['claim: the owner of a token counts before its block is final', 'await readFinalBlock(node, chain.finality)', "((await readFinalBlock(node, chain.finality)) && 'latest')"],
  ],
};

/** Bugs that only histories of sales by a queue find. */
// biome-ignore format: a bug a line
const queueBugsByFile: typeof bugsByFile = {
  'shared/orders/checkout/draft-order.ts': [
    ['queue: the event of a ticket is not compared', 'ticket?.eventId !== event.id || ticket.userId !== userId', 'ticket?.userId !== userId'],
    ['queue: the user of a ticket is not compared', 'ticket?.eventId !== event.id || ticket.userId !== userId', 'ticket?.eventId !== event.id'],
    ['queue: the number is not compared', "if (state === 'admitted') return;", 'if (state) return;'],
    ['queue: several orders at a time', 'guest || isQueued(event, now) ? 1 : maximumOpenOrders()', 'guest ? 1 : maximumOpenOrders()'],
  ],
  'shared/catalog/queue/queue.ts': [
    ['queue: a turn never ends', "now < until ? 'admitted' : 'over'", "now < Number.POSITIVE_INFINITY ? 'admitted' : 'over'"],
    ['queue: a pause admits people', 'state.isPaused ? 0 : perMinute', 'perMinute'],
    ['queue: a new rate forgets who was admitted', 'const upTo = current ? admittedBy(current, at) : 0;', 'const upTo = current?.upTo ?? 0;'],
  ],
  'shared/catalog/queue/store.ts': [
    ['queue: the condition on the version of its state', "'#queueState.#seed = :seed AND #queueState.#version = :expected'", "'#queueState.#seed = :seed AND (#queueState.#version = :expected OR #queueState.#version <> :expected)'"],
    ['queue: late places are drawn too', 'if (late === undefined) ids', 'ids'],
    ['queue: places that are still being stored are not waited for', 'const settlingMilliseconds = 15_000;', 'const settlingMilliseconds = -15_000;'],
    ['queue: the first number of a block is used twice', 'next: last - size + 2', 'next: last - size + 1'],
  ],
};

/** The bugs of listed seats, which the histories of resales find. */
// biome-ignore format: a bug a line
const resaleBugsByFile: typeof bugsByFile = {
  'shared/orders/settlement/complete-order.ts': [
    ['resale: the former holder keeps the seat', ', ...resale.writes]);', ']);'],
    ['resale: only the seats of the first seller end', 'const resale = await prepareResale(seats, event, id);', 'const resale = await prepareResale(seats.slice(0, 1), event, id);'],
  ],
  'shared/orders/order.ts': [
    ['resale: the listed seats of an unpaid order are released with its other tickets', 'return backedBy && takenOffer ?', 'return backedBy && !takenOffer ?'],
  ],
  'shared/orders/waiting-list/listings.ts': [
    ['resale: a seat that was admitted is sold', "'attribute_not_exists(#checkedInAt) AND (attribute", "'(attribute"],
    ['resale: an offer that another worker has just made is taken back', ' || isEnough(await findOrders(orderIds))', ''],
    ['resale: the seats of an ended offer stay taken', '.filter((order) => listingsOf(order, offerId).length > 0)', '.filter(() => false)'],
  ],
  'shared/nft/minting/mint-requests.ts': [
    ['resale: the tokens are minted before those of the seller are burned', "if (burns.every((burn) => burn?.status === 'done')) return [order];", 'if (order) return [order];'],
  ],
};

const toBugs = (byFile: typeof bugsByFile, scenario: ScenarioName): Bug[] =>
  Object.entries(byFile).flatMap(([file, rows]) =>
    rows.map(([name, ...texts]) => ({
      name,
      scenario,
      replacements: texts.flatMap((find, index) =>
        index % 2 === 0 ? [{ file, find, replace: texts[index + 1] ?? '' }] : [],
      ),
    })),
  );

export const bugs: readonly Bug[] = [
  ...toBugs(bugsByFile, 'everything'),
  ...toBugs(resaleBugsByFile, 'resales'),
  ...toBugs(queueBugsByFile, 'queue'),
];
