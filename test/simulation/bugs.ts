import type { Replacement } from './core/build.ts';

/** Deliberate bugs, one of which each run has. The simulation has to find each of them: see bugs.md. */
export interface Bug extends Replacement {
  name: string;
  /** A second replacement, where two conditions refuse the same thing. */
  also?: Replacement;
}

const bug = (name: string, file: string, find: string, replace = '', also?: Replacement): Bug => ({
  ...{ name, file, find, replace },
  ...(also && { also }),
});
const settle = 'shared/orders/settlement/settle-order.ts';
const fulfil = 'shared/orders/fulfilment/fulfil-orders.ts';
const refunds = 'shared/orders/refunds/refund-order.ts';
const inventory = 'shared/catalog/inventory/store.ts';
const reserve = 'shared/orders/checkout/reserve-tickets.ts';
const checkIn = 'shared/tickets/check-in/check-in-seat.ts';
const idempotency = 'shared/http/idempotency.ts';
const payouts = 'shared/money/payouts/settle-payout.ts';
const write = 'shared/dynamo/write.ts';
const nonces = 'shared/nft/nonce/store.ts';
const check = 'shared/nft/nonce/check-nonce.ts';
const rebroadcast = 'shared/nft/nonce/rebroadcast.ts';
const mint = 'shared/nft/minting/finalize-mint.ts';
const burn = 'shared/nft/burning/burn-tickets.ts';
const transactions = 'shared/chain/transactions.ts';

export const bugs: readonly Bug[] = [
  bug('settle: a short payment is accepted', settle, 'amount < order.totalAmount', 'amount < 0n'),
  bug(
    'settle: a payment in another currency is accepted',
    settle,
    'currency !== undefined && currency !== order.currency',
    'currency === ""',
  ),
  bug(
    'settle: a return that was reported before the payment is not asked about',
    settle,
    '  if (!reportedReturn || !gateway) return undefined;',
    '  if (reportedReturn || !gateway || !reportedReturn) return undefined;',
  ),
  bug(
    'settle: a return that is reported during the settlement',
    settle,
    "    unchanged: expectUnchanged(order, 'reportedReturn'),\n",
  ),
  bug(
    'settle: an order whose card was declined is not asked about again',
    settle,
    "const nextDueAt = gateway.closesCheckout ? 'never' : nextLateCheckAt(order);",
    "const nextDueAt = gateway.closesCheckout || order ? 'never' : nextLateCheckAt(order);",
  ),
  bug(
    'settle: a late payment completes without tickets',
    settle,
    'await reserveOrderTickets(plan);\n    return plan.order;',
    'await transact(plan.writes);\n    return plan.order;',
  ),
  bug(
    'settle: the order keeps being counted as unpaid',
    settle,
    'await releaseOrderTickets(order, [change, ...uncountOpenCryptoOrder(order)]);',
    'await transact([change, ...uncountOpenCryptoOrder(order)]);',
  ),
  bug(
    'reserve: the condition on free tickets',
    inventory,
    "'#saleVersion = :version AND #available >= :quantity'",
    "'#saleVersion = :version AND (#available >= :quantity OR #available < :quantity)'",
  ),
  bug(
    'reserve: a change of the event in between is not retried',
    reserve,
    'error instanceof InventoryChanged',
    'false',
  ),
  bug(
    'delete: an event that ever had an order',
    inventory,
    ' AND #available = :free AND attribute_not_exists(#ordered)',
    ' AND #available = :free',
  ),
  bug('release: the buyer stays counted', reserve, '      uncountPurchase(order, isCountedAsOpen),\n'),
  bug('release: the use of the code stays counted', reserve, '      ...uncountUse(order),\n'),
  bug(
    'limits: tickets per tier',
    inventory,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the source
    '#${counter} <= :maximum_${counter})`,',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the source
    '#${counter} <= :maximum_${counter} OR :maximum_${counter} = :maximum_${counter})`,',
  ),
  bug(
    'refund: the seats stay held',
    refunds,
    'await (order.holdsInventory ? releaseOrderTickets(order, writes) : transact(writes));',
    'await transact(writes);',
  ),
  bug('refund: the credit is not reversed', refunds, 'if (!isCredited) return [];', 'return [];'),
  bug(
    'refund: the condition on used seats',
    refunds,
    '        ...(refusesUsedSeats && { admitted: absent, transferred: absent }),\n',
  ),
  bug('refund: the tokens are not burned', refunds, '    ...(await burnWrites(order)),\n'),
  bug(
    'refund: done although the gateway only accepted it',
    'shared/orders/refunds/send-refund.ts',
    "if (state === 'done') {",
    "if (state !== 'not-asked') {",
  ),
  bug(
    'check-in: the condition on an earlier admission',
    'shared/tickets/seats/store.ts',
    '    checkedInAt: absent,\n',
  ),
  bug(
    'check-in: the condition on the order',
    'shared/orders/store.ts',
    "{ paymentStatus: 'COMPLETED', holdsInventory: true, refund: absent } as const",
    "{ paymentStatus: 'COMPLETED' } as const",
  ),
  bug('check-in: the admission is not counted', checkIn, '[countAdmission(event.id)]', '[]'),
  bug(
    'check-in: everybody may scan',
    checkIn,
    '  authorize(caller, [admin, await staffOf(event, caller)], notStaff);\n',
  ),
  bug('post: the condition that it is not posted yet', fulfil, '      isPosted: absent,\n'),
  bug('post: the row of the outbox is forgotten', fulfil, '    ...paidOrders.flatMap(mailWrites),\n'),
  bug(
    'post: an order due for a refund is credited',
    fulfil,
    "return order.fulfilmentStatus !== 'refund-due';",
    'return order !== undefined;',
  ),
  bug(
    'writes: the write id is skipped',
    write,
    'const item = withWriteId(operation.item, id);',
    'const item = operation.item;',
  ),
  bug(
    'writes: a conflict is not retried',
    write,
    'isRetryable: (error) => isCanceledFor(error, [...throttlingCodes, conflictCode]),',
    'isRetryable: () => false,',
  ),
  bug(
    'idempotency: the key is released too early',
    idempotency,
    'await storeAnswer(claim, JSON.stringify(answer));',
    'await releaseKey(claim);',
  ),
  bug('idempotency: another call takes over at once', idempotency, 'if (waitSeconds > 0 ||', 'if ('),
  bug(
    'sweep: the lease never ends',
    'shared/jobs/sweep/quotas.ts',
    'return now + Math.min(maximum, Math.max(minimum, now - since));',
    'return now + 1000 * Math.min(maximum, Math.max(minimum, now - since));',
  ),
  bug(
    'webhooks: errors are acknowledged',
    'shared/payments/webhook-endpoint.ts',
    'await processSignal(signal).catch(requestRedelivery);',
    'await processSignal(signal).catch(() => {});',
  ),
  bug(
    'webhooks: the signature is not compared',
    'shared/payments/gateway-a.ts',
    'if (!keys.some((key) => isSameSecret(signature, sign(key)))) {',
    'if (keys.some((key) => isSameSecret(signature, sign(key))) && body.length === 0) {',
  ),
  bug(
    'crypto: the reference of the payment is not compared',
    'shared/chain/read-payment.ts',
    "? undefined : 'reference'",
    '? undefined : undefined',
  ),
  bug(
    'crypto: a payment counts before its block is final',
    'shared/chain/read-payment.ts',
    'if (Number(receipt.blockNumber) > finalBlock)',
    'if (Number(receipt.blockNumber) > finalBlock + 100)',
  ),
  bug(
    'payouts: the balance need not suffice',
    'shared/money/payouts/request-payout.ts',
    "when: '#available >= :amount'",
    "when: '(#available >= :amount OR #available < :amount)'",
  ),
  bug(
    'payouts: the ledger misses what arrived',
    payouts,
    '      ...postEntry(entry),\n      auditWrite,',
    '      auditWrite,',
  ),
  bug(
    'orders: everybody may cancel',
    'shared/orders/settlement/end-order.ts',
    "  authorize({ userId }, [buyerOf(order)], notFound('Order'));\n",
  ),
  bug(
    'settle: the lifecycle lets a failed order settle as if it were pending',
    'shared/orders/lifecycle.ts',
    "from: 'PENDING',\n    event: 'settle',",
    "from: ['PENDING', 'FAILED', 'COMPLETED'],\n    event: 'settle',",
  ),
  bug(
    'reserve: the condition on the version of the sale',
    inventory,
    "'#saleVersion = :version AND #available >= :quantity'",
    "'(#saleVersion = :version OR #saleVersion <> :version) AND #available >= :quantity'",
  ),
  bug(
    'lock: every event locks its admitted tickets',
    'shared/tickets/request-lock.ts',
    '!event.lockAfterAdmission || ',
  ),
  bug(
    'cancel: the changed metadata is not announced',
    'shared/jobs/event-jobs/run-event-jobs.ts',
    '    await whenDone?.();\n',
  ),
  bug(
    'nonces: two workers get the same one',
    nonces,
    "'attribute_not_exists(#pk)' : '#nextNonce = :nonce'",
    "'attribute_not_exists(#pk)' : '(#nextNonce = :nonce OR #nextNonce <> :nonce)'",
    {
      file: nonces,
      find: "{ when: 'attribute_not_exists(#pk)', orThrow: () => new AlreadyDoneByOther() },",
      replace: '{ orThrow: () => new AlreadyDoneByOther() },',
    },
  ),
  bug(
    'nonces: an order without a receipt gets another one',
    check,
    'if (outcomes.some(mayNeedRebroadcast)) await',
    `if (Date.now() - firstAttempt(transaction).at > 20_000) {
      const mints = orders.map(() => null);
      await finalize(storedNonce, { kind: 'nonce-replaced', isFinal: true, mints, burned: [] });
      return true;
    }
    if (outcomes.some(mayNeedRebroadcast)) await`,
  ),
  bug(
    'nonces: one that nobody uses is not cancelled',
    rebroadcast,
    '  await Promise.all(unboundReferences.map((reference) => cancelUnbound(connection, reference)));\n',
  ),
  bug(
    'nonces: a transaction is sent before it is stored',
    check,
    '    try {\n      await transact([',
    '    await broadcast(connection, lastAttempt(transaction).raw);\n    try {\n      await transact([',
  ),
  bug(
    'nonces: a replacement is not stored',
    rebroadcast,
    'if (!(await appendAttempt(transaction, attempt))) return undefined;',
    'void appendAttempt;',
  ),
  bug(
    'nonces: a replacement raises one fee only',
    transactions,
    'max(raiseFee(previous.maxPriorityFeePerGas), market.maxPriorityFeePerGas)',
    'previous.maxPriorityFeePerGas',
  ),
  bug(
    'nonces: a dropped transaction is not sent again',
    check,
    'if (outcomes.some(mayNeedRebroadcast)) await rebroadcast(connection, transaction, orders, outcomes);',
    'void rebroadcast;',
  ),
  bug(
    'nonces: a check is not followed by another',
    check,
    'if (reschedule) await scheduleCheck(connection.chain, transaction, ageMilliseconds);',
    'void reschedule;',
  ),
  bug('nodes: the answer of one suffices', 'shared/chain/connection.ts', 'Math.min(2, nodes.length)', '1'),
  bug(
    'nodes: a receipt counts before its block is final',
    'shared/chain/outcome.ts',
    'const isFinal = Number(receipt.blockNumber) <= finalBlock;',
    'const isFinal = Number(receipt.blockNumber) <= finalBlock + 100;',
  ),
  bug(
    'mint: the number of tokens is not compared',
    mint,
    'if (length !== quantity) return',
    'if (false) return',
  ),
  bug('mint: the wallet is not compared', mint, 'if (mint.to !== destination.to)', 'if (false)'),
  bug(
    'mint: the order is minted before its tickets are stored',
    mint,
    'await mapInChunks(tickets, (ticket)',
    'void mapInChunks(tickets, (ticket)',
  ),
  bug(
    'mint: an order that the contract knows is minted again',
    'shared/nft/minting/mint-orders.ts',
    'if (quantity === 0) unmintedRequests',
    'if (quantity >= 0) unmintedRequests',
  ),
  bug(
    'mint: tokens of a refunded order stay',
    mint,
    '      await burnUnwanted(order, { chainId, contract }, mint);\n',
    '      void burnUnwanted;\n',
  ),
  bug(
    'burn: the tickets are not marked',
    burn,
    'if (seat !== undefined) await markBurned(userId, ticketId(orderId, seat), tokenId, timestamp);',
    'void [seat, markBurned, ticketId];',
  ),
  bug(
    'reissue: the tokens are minted again without a burn',
    burn,
    '  const tokenIds = nextTokens(burn, firstTokenId(key));\n',
    `  const tokenIds = nextTokens(burn, firstTokenId(key));
  if (isReissue(burn, order)) return finalizeReissue(burn, order, minter.address, tokenIds.map(String));
`,
  ),
  bug(
    'reissue: a token that was sold is minted again',
    'shared/nft/reissuing/finalize-reissue.ts',
    'return tokenIds.map((tokenId) => burnedIds.has(String(tokenId)));',
    'return tokenIds.map(() => true);',
  ),
  bug(
    'reissue: the new tokens keep the key of the old ones',
    'shared/nft/minting/mint-requests.ts',
    'deriveOrderKey(chainId, contract, order.id, issueNumber(order))',
    'deriveOrderKey(chainId, contract, order.id)',
  ),
  bug(
    'claim: the owner of a token counts before its block is final',
    'shared/chain/token-owner.ts',
    'await readFinalBlock(node, chain.finality)',
    "((await readFinalBlock(node, chain.finality)) && 'latest')",
  ),
  bug(
    'check-in: the owner of the token is not compared',
    'shared/tickets/check-in/check-in-seat.ts',
    'if (isOwnedByHolder === false && !',
    'if (isOwnedByHolder === false && false && !',
  ),
];
