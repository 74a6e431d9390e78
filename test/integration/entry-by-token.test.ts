import { beforeAll, describe, expect, it, vi } from 'vitest';
import { getEvent } from '../../shared/catalog/events/store.ts';
import { deriveOrderKey, firstTokenId } from '../../shared/chain/contract-calls.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { requireUnsoldTokens } from '../../shared/orders/refunds/request-refund.ts';
import { getOrder } from '../../shared/orders/store.ts';
import {
  createFundedAccount,
  createWallet,
  deployContractWallet,
  linkWallet,
  openWallet,
  prepareTransfer,
  requestChallenge,
  sendToken,
  type TokenReference,
  verifyWallet,
} from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
  acceptTransfer,
  buyTickets,
  changeEvent,
  checkIn,
  expectStatus,
  findSeat,
  freshEmail,
  listTickets,
  offerSeat,
  openSale,
  type Person,
  readNotifications,
  readOrder,
  readSeats,
  registerAdmin,
  registerUser,
  requestOrder,
  requestRefund,
  type Sale,
  waitForMintedOrder,
  waitForRefund,
} from '../support/fixtures.ts';
import { call, errorOf } from '../support/http.ts';
import { connectToTable, runOps, sharedStack } from '../support/stack.ts';

let sale: Sale;
beforeAll(async () => {
  sale = await openSale({ hasContract: true });
  expect(sale.event.entry).toBe('token');
});

/** Claims the seat of a token, again while the node does not answer. */
const claimSeat = ({ token }: Partial<Person>, { contractAddress, tokenId }: TokenReference) =>
  eventually('the node answers', async () => {
    const body = { chainId: sharedStack().chainId, contractAddress, tokenId };
    const answer = await call('POST', '/api/tickets/claim', { token, body });
    return answer.status !== 503 && answer;
  });
/** The depth in blocks at which a transaction on the stack's chain is final. */
const finalDepth = 4;

/** Buys tickets and waits until they are minted. The buyer has entered the wallet's address without linking it. */
async function buyMintedTickets(quantity = 1, { organizer, event } = sale) {
  const wallet = createWallet();
  const buyer = await registerUser({ walletAddress: wallet.address });
  const { orderId } = await buyTickets({ event }, buyer, quantity);
  await waitForMintedOrder(buyer, orderId);
  const tokens: TokenReference[] = [];
  for (let number = 1; number <= quantity; number++) {
    const { token } = await findSeat(buyer, orderId, number);
    tokens.push(token);
  }
  return { wallet, buyer, orderId, organizer, tokens, token: tokens[0] as TokenReference };
}

/** Buys a ticket in the chain's coin, and waits until it is minted. */
async function payOnChain() {
  const { organizer, event } = await openSale({ hasContract: true, currency: 'POL', price: 0.5 });
  const wallet = createWallet();
  const buyer = await registerUser({ walletAddress: wallet.address });
  const { orderId, payment } = expectStatus(
    201,
    await requestOrder({ event }, buyer, { paymentMethod: 'CRYPTO' }),
  );
  const payer = await openWallet(sharedStack());
  const body = { txHash: await payer.pay(payment) };
  payer.close();
  await eventually('the order is paid', async () => {
    const { status } = await buyer.post(`/api/orders/${orderId}/confirm`, body);
    return status === 200;
  });
  await waitForMintedOrder(buyer, orderId);
  const { token } = await findSeat(buyer, orderId, 1);
  return { wallet, buyer, orderId, token, organizer };
}

describe.concurrent('a minted seat of an event that admits by token', () => {
  it('admits a buyer whose wallet is not linked, until the token is transferred', async () => {
    const { wallet, buyer, orderId, tokens } = await buyMintedTickets(2);
    const [first, second] = (await readOrder(buyer, orderId)).admissions;
    const scan = await checkIn(first.checkInCode, sale.organizer);
    expect(scan.body.checkIn).toMatchObject({ number: 1, chainChecked: true });
    await sendToken(wallet, createWallet().address, tokens[1] as TokenReference);
    expect(errorOf(await checkIn(second.checkInCode, sale.organizer))).toEqual([409, 'token-moved']);
    // Another address in the profile does not make the code valid again.
    const body = { walletAddress: createWallet().address };
    await buyer.patch('/api/auth/me', body);
    expect(errorOf(await checkIn(second.checkInCode, sale.organizer))).toEqual([409, 'token-moved']);
  });

  it('admits nobody and is not refunded once its token was sold, also before the mint is final', async () => {
    const wallet = createWallet();
    const buyer = await registerUser({ walletAddress: wallet.address });
    const { orderId } = await buyTickets(sale, buyer, 1);
    const { contractAddress, chainId } = sale.event;
    // The keys of orders in the contract depend on it.
    vi.stubEnv('STAGE', 'local');
    const tokenId = `${firstTokenId(deriveOrderKey(chainId, contractAddress, orderId))}`;
    const newOwner = createWallet().address;
    await eventually('the token is mined and sold', () =>
      sendToken(wallet, newOwner, { contractAddress, tokenId }).then(
        () => true,
        () => false,
      ),
    );
    const [{ checkInCode }] = (await readOrder(buyer, orderId)).admissions;
    // Where the tokens went counts, not what the account says now.
    await buyer.patch('/api/auth/me', { walletAddress: newOwner });
    const [scan, refund] = await Promise.all([
      checkIn(checkInCode, sale.organizer),
      requestRefund(orderId, sale.organizer),
    ]);
    expect(errorOf(scan)).toEqual([409, 'token-moved']);
    // Once the mint is final, the seat is no longer the seller's.
    expect(refund.status).toBe(409);
    expect(['minting', 'moved']).toContain(errorOf(refund)[1]);
  });

  it('is not refunded once its token was sold, while the other tokens of the order are minted again', async () => {
    const { wallet, orderId, token } = await buyMintedTickets(2);
    await sendToken(wallet, createWallet().address, token, finalDepth);
    connectToTable();
    await write(
      update(keys.order(orderId), {
        set: { fulfilmentStatus: 'queued', mintedAt: undefined },
      }),
    );
    expect(errorOf(await requestRefund(orderId, sale.organizer))).toEqual([409, 'moved']);
  });

  it('is not refunded while a token exists that a reissue left out, which no refund burns', async () => {
    const { buyer, wallet, orderId } = await buyMintedTickets(2);
    connectToTable();
    const { address } = wallet;
    const issue = { number: 2, wallet: address, signer: address, at: new Date().toISOString(), seats: [2] };
    await write(update(keys.order(orderId), { set: { issue } }));
    expect(errorOf(await requestRefund(orderId, sale.organizer))).toEqual([409, 'moved']);
    expect((await readOrder(buyer, orderId)).refund).toBeNull();
  });

  it.each([
    [
      'at a gateway',
      async () => buyMintedTickets(1, await openSale({ hasContract: true })),
      undefined,
      'done',
    ],
    ['on the chain', payOnChain, undefined, 'manual'],
    ['on the chain, and the kind of entry is changed', payOnChain, 'account', 'manual'],
  ])(
    'is not refunded when it was paid %s, and its token is sold before it is burned',
    async (_, buy, entry, end) => {
      const { wallet, buyer, orderId, token, organizer } = await buy();
      const { eventId } = await readOrder(buyer, orderId);
      const { send } = await prepareTransfer(wallet, createWallet().address, token);
      expect((await requestRefund(orderId, organizer)).status).toBe(200);
      const change = entry && organizer.put(`/api/events/${eventId}`, { entry });
      // The sale is mined before the burn, which is simulated first.
      await send();
      if (change) expect((await change).status).toBe(200);
      await waitForRefund(buyer, orderId, 'failed');
      expect((await runOps(['complete-refund'])).stdout).not.toContain(orderId);
      // Requested again, it fails again.
      expect((await requestRefund(orderId, organizer)).status).toBe(200);
      await waitForRefund(buyer, orderId, 'failed');
      // A cancelled event is refunded without asking the chain.
      await organizer.put(`/api/events/${eventId}`, { status: 'CANCELLED' });
      await waitForRefund(buyer, orderId, end);
    },
  );

  it('is refunded by hand once its token is burned, when it was paid on the chain', async () => {
    const { buyer, orderId, organizer } = await payOnChain();
    expect((await requestRefund(orderId, organizer)).body.order.refund.status).toBe('pending');
    await waitForRefund(buyer, orderId, 'manual');
    expect((await listTickets(buyer, orderId))[0]).toMatchObject({ burnedAt: expect.any(String) });
    expect((await runOps(['complete-refund'])).stdout).toContain(orderId);
  });

  it('moves with its ticket to the account that owns the token and claims the seat', async () => {
    const { wallet, buyer, orderId, token } = await buyMintedTickets();
    const [ticket] = await listTickets(buyer, orderId);
    const [{ checkInCode: oldCode }] = (await readOrder(buyer, orderId)).admissions;
    const owner = await registerUser({ name: 'Nora New' });
    const ownWallet = createWallet();
    expect(errorOf(await claimSeat(owner, token))).toEqual([403, 'not-the-owner']);
    await linkWallet(owner, ownWallet);
    expect(errorOf(await claimSeat(owner, token))).toEqual([403, 'not-the-owner']);

    await sendToken(wallet, ownWallet.address, token, finalDepth);
    const answer = await claimSeat(owner, token);
    expect(answer).toMatchObject({
      status: 200,
      body: { seat: { orderId, number: 1, status: 'held', token, attendee: { name: 'Nora New' } } },
    });
    const { code } = answer.body.seat;
    expect((await claimSeat(owner, token)).body.seat.code).toBe(code);

    expect((await listTickets(buyer, orderId)).length).toBe(0);
    expect(await listTickets(owner, orderId)).toEqual([
      {
        ...ticket,
        owner: ownWallet.address,
        checkInCode: code,
        qr: `/api/tickets/qr/${code}`,
      },
    ]);
    expect(await findSeat(buyer, orderId, 1)).toMatchObject({ status: 'moved' });
    expect((await readOrder(buyer, orderId)).admissions).toEqual([]);
    const titles = (await readNotifications(buyer)).map(({ title }) => title);
    expect(titles).toContain('Ticket claimed');

    expect(errorOf(await checkIn(oldCode, sale.organizer))).toEqual([409, 'moved']);
    const scan = await checkIn(code, sale.organizer);
    expect(scan.body.checkIn).toMatchObject({ attendeeName: 'Nora New', chainChecked: true });
    const refund = await requestRefund(orderId, sale.organizer);
    expect(errorOf(refund)).toEqual([409, 'admitted']);
  });

  it('can’t be claimed without the identity check that its event requires', async () => {
    const ownSale = await openSale({ hasContract: true });
    const [wallet, ownWallet] = [createWallet(), createWallet()];
    const [buyer, owner] = [await registerUser({ walletAddress: wallet.address }), await registerUser()];
    const { orderId } = await buyTickets(ownSale, buyer, 1);
    await waitForMintedOrder(buyer, orderId);
    const { token } = await findSeat(buyer, orderId, 1);
    expect((await changeEvent(ownSale, { requireKYC: true })).status).toBe(200);
    await linkWallet(owner, ownWallet);
    await sendToken(wallet, ownWallet.address, token, finalDepth);
    expect(errorOf(await claimSeat(owner, token))).toEqual([403, 'kyc-required']);
  });

  it('can be claimed by its buyer with another linked wallet', async () => {
    const { wallet, buyer, orderId, token } = await buyMintedTickets();
    const vault = createWallet();
    await sendToken(wallet, vault.address, token, finalDepth);
    await linkWallet(buyer, vault);
    const { seat } = (await claimSeat(buyer, token)).body;
    expect((await readSeats(buyer, `?orderId=${orderId}`)).seats).toHaveLength(1);
    const [admission] = (await readOrder(buyer, orderId)).admissions;
    expect(admission.checkInCode).toBe(seat.code);
    expect((await checkIn(seat.code, sale.organizer)).status).toBe(200);
  });

  it('can’t be claimed after check-in, with an unknown or invalid token, or without a login', async () => {
    const { wallet, buyer, orderId, token } = await buyMintedTickets();
    const owner = await registerUser();
    const ownWallet = createWallet();
    await linkWallet(owner, ownWallet);
    const [{ checkInCode }] = (await readOrder(buyer, orderId)).admissions;
    expect((await checkIn(checkInCode, sale.organizer)).status).toBe(200);
    await sendToken(wallet, ownWallet.address, token, finalDepth);
    expect(errorOf(await claimSeat(owner, token))).toEqual([409, 'admitted']);

    for (const unknown of [
      { ...token, tokenId: String(BigInt(token.tokenId) + 1n) },
      { ...token, tokenId: '1' },
      { ...token, contractAddress: createWallet().address },
    ]) {
      expect(errorOf(await claimSeat(owner, unknown))).toEqual([404, 'ticket-not-found']);
    }
    for (const tokenId of ['', '01', '-1', String(2n ** 256n), 'x', 5]) {
      expect((await claimSeat(owner, { ...token, tokenId: tokenId as string })).status).toBe(400);
    }
    expect(errorOf(await claimSeat({}, token))).toEqual([401, 'unauthenticated']);
  });

  it('stays with the buyer when another account links the wallet that the buyer entered without linking', async () => {
    const { wallet, buyer, orderId } = await buyMintedTickets();
    await linkWallet(await registerUser(), wallet);
    const [{ checkInCode }] = (await readOrder(buyer, orderId)).admissions;
    expect(await findSeat(buyer, orderId, 1)).toMatchObject({ status: 'held', code: checkInCode });
    expect((await checkIn(checkInCode, sale.organizer)).status).toBe(200);
  });

  it('is not refunded once its token was sold, unless its event is cancelled', async () => {
    const ownSale = await openSale({ hasContract: true });
    const wallet = createWallet();
    const buyer = await registerUser({ walletAddress: wallet.address });
    const { orderId } = await buyTickets(ownSale, buyer, 2);
    await waitForMintedOrder(buyer, orderId);
    const { token } = await findSeat(buyer, orderId, 2);
    await sendToken(wallet, createWallet().address, token);
    for (const caller of [ownSale.organizer, await registerAdmin()]) {
      expect(errorOf(await requestRefund(orderId, caller))).toEqual([409, 'moved']);
    }
    await changeEvent(ownSale, { status: 'CANCELLED' });
    await waitForRefund(buyer, orderId);
  });

  it('is not refunded while no node answers, unless its event is cancelled', async () => {
    const { orderId } = await buyMintedTickets();
    connectToTable();
    vi.stubEnv(`CHAIN_${sharedStack().chainId}_RPC_URLS`, 'http://127.0.0.1:1');
    const order = await getOrder(orderId);
    const event = await getEvent(order.eventId);
    await expect(requireUnsoldTokens(order, event)).rejects.toMatchObject({ code: 'unavailable' });
    await requireUnsoldTokens(order, { ...event, status: 'CANCELLED' });
    vi.unstubAllEnvs();
  });

  it('is claimed at most a hundred times in 15 minutes by a user, since each asks the chain', async () => {
    const { token } = await buyMintedTickets();
    const owner = await registerUser();
    await linkWallet(owner, createWallet());
    connectToTable();
    await write(update(keys.attempts('CLAIM', owner.user.id), { set: { count: 100, ttl: 9_999_999_999 } }));
    expect(errorOf(await claimSeat(owner, token))).toEqual([429, 'too-many-attempts']);
  });

  it('can’t be transferred by e-mail', async () => {
    const { buyer, orderId } = await buyMintedTickets();
    expect(errorOf(await offerSeat(buyer, orderId, 1, freshEmail()))).toEqual([409, 'entry-by-token']);
  });

  it('can be claimed with a deployed contract wallet (ERC-1271)', async () => {
    const { wallet, orderId, token } = await buyMintedTickets();
    const signer = (await createFundedAccount()).wallet;
    const address = await deployContractWallet(signer);
    const owner = await registerUser();
    const message = await requestChallenge(owner, address, 'link');
    expect((await verifyWallet(owner, message, await signer.signMessage(message))).status).toBe(200);
    await sendToken(wallet, address, token, finalDepth);
    const { code } = (await claimSeat(owner, token)).body.seat;
    const scan = await checkIn(code, sale.organizer);
    expect(scan.body.checkIn).toMatchObject({ orderId, number: 1, chainChecked: true });
  });
});

describe.concurrent('an unminted seat of an event that admits by token', () => {
  it('can be transferred by e-mail, which prevents minting the order', async () => {
    const [buyer, friend] = await Promise.all([registerUser(), registerUser()]);
    const { orderId } = await buyTickets(sale, buyer, 2);
    const { token } = (await offerSeat(buyer, orderId, 1, friend.user.email)).body.transfer;
    const { code } = (await acceptTransfer(friend, token)).body.seat;
    await buyer.patch('/api/auth/me', { walletAddress: createWallet().address });
    const fulfil = await sale.organizer.post(`/api/orders/${orderId}/fulfil`);
    expect(errorOf(fulfil)).toEqual([409, 'nothing-to-fulfil']);
    expect((await checkIn(code, sale.organizer)).body.checkIn).not.toHaveProperty('chainChecked');
  });
});

describe.concurrent('an unminted order of an event that admits by token, of which a seat was returned', () => {
  it('is no longer minted: the token of that seat could be sold before it is burned', async () => {
    const buyer = await registerUser();
    const { orderId } = await buyTickets(sale, buyer, 2);
    expectStatus(200, await sale.organizer.post(`/api/orders/${orderId}/refund`, { seats: [1] }));
    const enterWallet = await buyer.put(`/api/orders/${orderId}/wallet`, {
      walletAddress: createWallet().address,
    });
    expect(errorOf(enterWallet)).toEqual([409, 'refunded']);
    await buyer.patch('/api/auth/me', { walletAddress: createWallet().address });
    const fulfil = await sale.organizer.post(`/api/orders/${orderId}/fulfil`);
    expect(errorOf(fulfil)).toEqual([409, 'nothing-to-fulfil']);
  });
});

describe.concurrent('an event that admits by account', () => {
  it('admits the holder of the seat, whether or not the holder owns the token', async () => {
    const { organizer } = sale;
    const accountSale = await openSale({ hasContract: true, organizer, entry: 'account' });
    const wallet = createWallet();
    const [buyer, friend] = await Promise.all([
      registerUser({ walletAddress: wallet.address }),
      registerUser(),
    ]);
    const { orderId } = await buyTickets(accountSale, buyer, 1);
    await waitForMintedOrder(buyer, orderId);
    const { token, code: oldCode } = await findSeat(buyer, orderId, 1);
    const { token: transferToken } = (await offerSeat(buyer, orderId, 1, friend.user.email)).body.transfer;
    const { code } = (await acceptTransfer(friend, transferToken)).body.seat;
    expect(await listTickets(friend, orderId)).toMatchObject([{ tokenId: token.tokenId, checkInCode: code }]);
    expect(await listTickets(buyer, orderId)).toEqual([]);

    const collector = await registerUser();
    const collectorWallet = createWallet();
    await linkWallet(collector, collectorWallet);
    await sendToken(wallet, collectorWallet.address, token, finalDepth);
    expect(errorOf(await claimSeat(collector, token))).toEqual([409, 'entry-by-account']);
    expect(errorOf(await checkIn(oldCode, organizer))).toEqual([409, 'moved']);
    expect((await checkIn(code, organizer)).body.checkIn).not.toHaveProperty('chainChecked');
  });
});
