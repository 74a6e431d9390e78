import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { putAll } from '../../shared/dynamo/write.ts';
import { eventually } from '../support/eventually.ts';
import {
  addStaff,
  buyTickets,
  changeEvent,
  checkIn,
  createEvent,
  expectStatus,
  openSale,
  type Person,
  readCheckInCodes,
  registerUser,
  requestRefund,
  type Sale,
} from '../support/fixtures.ts';
import { type Answer, errorOf, sortedStatuses } from '../support/http.ts';
import { connectToTable } from '../support/stack.ts';

const hash = (code: string) =>
  createHash('sha256').update(code).digest().subarray(0, 16).toString('base64url');

/** Opens a sale of an event that begins tomorrow: its changes are recorded for its doors. */
async function openSaleForTomorrow(fields: object = {}): Promise<Sale> {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const startDate = new Date(Date.now() + 24 * 3600 * 1000).toISOString();
  const tiers = [
    { name: 'Floor', price: 50, quantity: 100, maxPerPerson: 10 },
    { name: 'Backstage', price: 90, quantity: 100, maxPerPerson: 10 },
  ];
  return { organizer, event: await createEvent(organizer, { startDate, currency: 'NGN', tiers, ...fields }) };
}

async function buyCodes(sale: Sale, buyer: Person, quantity: number) {
  const { orderId } = await buyTickets(sale, buyer, quantity);
  return { orderId, codes: await readCheckInCodes(buyer, orderId) };
}

const readDoor = async (sale: Sale, query = '', staff = sale.organizer) =>
  (await staff.get(`/api/events/${sale.event.id}/door${query}`)).body;

const findSeats = (door: { seats: { seat: string }[] }, orderId: string) =>
  door.seats.filter(({ seat }) => seat.startsWith(orderId));

const upload = (
  sale: Sale,
  scans: object[],
  {
    deviceId = 'gate-1',
    staff = sale.organizer,
    ...fields
  }: { deviceId?: string; staff?: Person; listId?: string } = {},
): Promise<Answer> => staff.post(`/api/events/${sale.event.id}/door/scans`, { deviceId, scans, ...fields });

const scanOf = (orderId: string, code: string, fields: object = {}) => ({
  scanId: randomUUID(),
  seat: `${orderId}.1`,
  hash: hash(code),
  at: new Date(Date.now() - 60_000).toISOString(),
  ...fields,
});

const readConflicts = async (sale: Sale, reader = sale.organizer) =>
  (await reader.get(`/api/events/${sale.event.id}/admissions`)).body.conflicts;

const countAdmitted = async (sale: Sale) =>
  (await sale.organizer.get(`/api/events/${sale.event.id}/admissions`)).body.admitted;

let buyer: Person;
beforeAll(async () => {
  buyer = await registerUser({ name: 'Ben Buyer' });
});

describe('the list of a door', () => {
  it('has what admits a ticket offline, without codes and addresses, and then what changes', async () => {
    const sale = await openSaleForTomorrow();
    const first = await buyCodes(sale, buyer, 2);
    const list = await readDoor(sale);
    expect(list).toMatchObject({ isFirst: true, isComplete: true, event: { offlineMode: 'ask' } });
    expect(findSeats(list, first.orderId)).toMatchObject(
      first.codes.map((code, index) => ({
        seat: `${first.orderId}.${index + 1}`,
        hash: hash(code),
        tier: 'Floor',
        attendee: 'Ben Buyer',
        status: 'valid',
        admittedAt: null,
      })),
    );
    for (const secret of [...first.codes, buyer.user.email])
      expect(JSON.stringify(list)).not.toContain(secret);
    const second = await buyCodes(sale, buyer, 1);
    await checkIn(first.codes[0], sale.organizer);
    const receiver = await registerUser({ name: 'Rita Receiver' });
    const offer = await buyer.post(`/api/orders/${first.orderId}/seats/2/transfer`, {
      email: receiver.user.email,
    });
    await receiver.post(`/api/transfers/${offer.body.transfer.token}/accept`);
    const changes = await readDoor(sale, `?cursor=${list.cursor}`);
    expect(changes).toMatchObject({ isFirst: false, isComplete: true });
    expect(findSeats(changes, second.orderId)).toMatchObject([{ status: 'valid' }]);
    expect(findSeats(changes, first.orderId)).toMatchObject([
      { status: 'admitted', hash: hash(first.codes[0] ?? '') },
      { status: 'transferred', attendee: 'Rita Receiver' },
    ]);
    const [, transferred] = findSeats(changes, first.orderId) as { hash?: string }[];
    expect(transferred?.hash).not.toBe(hash(first.codes[1] ?? ''));
    expect((await requestRefund(second.orderId, sale.organizer)).status).toBe(200);
    const last = await readDoor(sale, `?cursor=${changes.cursor}`);
    expect(findSeats(last, second.orderId)).toMatchObject([{ status: 'refunded' }]);
  });

  it('begins anew before the days around the event, and for a change of the event', async () => {
    const early = await openSale();
    const { cursor } = await readDoor(early);
    expect(await readDoor(early, `?cursor=${cursor}`)).toMatchObject({ isFirst: true, isComplete: true });
    const sale = await openSaleForTomorrow();
    const list = await readDoor(sale);
    // What only its sale shows does not count.
    await changeEvent(sale, { ticketPrice: 60 });
    expect(await readDoor(sale, `?cursor=${list.cursor}`)).toMatchObject({ isFirst: false });
    await changeEvent(sale, { title: 'Renamed', offlineMode: 'never' });
    expect(await readDoor(sale, `?cursor=${list.cursor}`)).toMatchObject({
      isFirst: true,
      event: { title: 'Renamed', offlineMode: 'never' },
    });
    expect(errorOf(await sale.organizer.get(`/api/events/${sale.event.id}/door?cursor=1`))).toEqual([
      400,
      'invalid-cursor',
    ]);
  });

  it('begins anew after more than two thousand changes, which would be read at once', async () => {
    const sale = await openSaleForTomorrow();
    const { orderId } = await buyCodes(sale, buyer, 1);
    const { cursor } = await readDoor(sale);
    connectToTable();
    const at = new Date().toISOString();
    const changes = Array.from({ length: 2_001 }, (_, index) => ({ orderId, number: index + 1, at }));
    const items = changes.map((change) => ({
      ...keys.doorChange(sale.event.id, change),
      orderIds: [orderId],
      number: change.number,
    }));
    await putAll(items.slice(0, 1_000));
    expect(await readDoor(sale, `?cursor=${cursor}`)).toMatchObject({ isFirst: false });
    await putAll(items.slice(1_000));
    const door = await readDoor(sale, `?cursor=${cursor}`);
    expect(door).toMatchObject({ isFirst: true, isComplete: true });
    expect(findSeats(door, orderId)).toHaveLength(1);
  });

  it('is compressed for clients that accept it', async () => {
    const sale = await openSaleForTomorrow();
    const { orderId } = await buyCodes(sale, buyer, 1);
    const response = await fetch(`${buyer.stack.apiUrl}/api/events/${sale.event.id}/door`, {
      headers: { authorization: `Bearer ${sale.organizer.token}`, 'accept-encoding': 'gzip' },
    });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(findSeats((await response.json()) as { seats: { seat: string }[] }, orderId)).toHaveLength(1);
  });
});

describe('scans that were made offline', () => {
  it('are admitted as of their time, once, also when they go up several times', async () => {
    const sale = await openSaleForTomorrow();
    const { orderId, codes } = await buyCodes(sale, buyer, 1);
    const scan = scanOf(orderId, codes[0] ?? '');
    const expected = { scanId: scan.scanId, result: 'admitted', admittedAt: scan.at };
    const answers = await Promise.all([1, 2, 3].map(() => upload(sale, [scan])));
    for (const { status, body } of [...answers, await upload(sale, [scan])]) {
      expect({ status, results: body.results }).toEqual({ status: 200, results: [expected] });
    }
    expect(await countAdmitted(sale)).toBe(1);
    expect(await readConflicts(sale)).toEqual([]);
    expect(errorOf(await checkIn(codes[0], sale.organizer))).toEqual([409, 'already-checked-in']);
  });

  it('of one seat at two devices are one admission and one conflict, with both devices and times', async () => {
    const sale = await openSaleForTomorrow();
    const { orderId, codes } = await buyCodes(sale, buyer, 1);
    const early = scanOf(orderId, codes[0] ?? '');
    const late = scanOf(orderId, codes[0] ?? '', { at: new Date(Date.now() - 30_000).toISOString() });
    await upload(sale, [early], { deviceId: 'gate-1' });
    const second = await upload(sale, [late], { deviceId: 'gate-2' });
    expect(second.body.results).toEqual([
      { scanId: late.scanId, result: 'already-admitted', admittedAt: early.at },
    ]);
    expect((await upload(sale, [late], { deviceId: 'gate-2' })).body).toEqual(second.body);
    const conflicts = await eventually('the conflict is listed', async () => {
      const listed = await readConflicts(sale);
      return listed.length > 0 && listed;
    });
    expect(conflicts).toEqual([
      {
        orderId,
        number: 1,
        result: 'already-admitted',
        scanId: late.scanId,
        deviceId: 'gate-2',
        at: late.at,
        by: sale.organizer.user.name,
        first: { deviceId: 'gate-1', at: early.at, by: sale.organizer.user.name },
      },
    ]);
    expect(await countAdmitted(sale)).toBe(1);
    const door = await registerUser();
    await addStaff(sale.organizer, sale.event.id, door, 'door');
    expect(await readConflicts(sale, door)).toEqual([]);
  });

  it('are kept as conflicts when the ticket was refunded, handed over, or never existed', async () => {
    const sale = await openSaleForTomorrow();
    const [refunded, moved] = [await buyCodes(sale, buyer, 1), await buyCodes(sale, buyer, 1)];
    await requestRefund(refunded.orderId, sale.organizer);
    const receiver = await registerUser();
    const offer = await buyer.post(`/api/orders/${moved.orderId}/seats/1/transfer`, {
      email: receiver.user.email,
    });
    await receiver.post(`/api/transfers/${offer.body.transfer.token}/accept`);
    const other = await openSaleForTomorrow();
    const foreign = await buyCodes(other, buyer, 1);
    const scans = [
      scanOf(refunded.orderId, refunded.codes[0] ?? ''),
      scanOf(moved.orderId, moved.codes[0] ?? ''),
      scanOf(moved.orderId, 'forged'),
      scanOf('c0000000000000000000000000', 'invented'),
      scanOf(foreign.orderId, foreign.codes[0] ?? ''),
    ];
    const { body } = await upload(sale, scans);
    expect(body.results.map(({ result }: { result: string }) => result)).toEqual([
      'refunded',
      'transferred',
      'unknown',
      'unknown',
      'unknown',
    ]);
    await eventually('all are listed', async () => (await readConflicts(sale)).length === scans.length);
    expect(await countAdmitted(sale)).toBe(0);
    expect(await countAdmitted(other)).toBe(0);
  });

  it('of a scan whose online answer was lost have its admission', async () => {
    const sale = await openSaleForTomorrow();
    const { orderId, codes } = await buyCodes(sale, buyer, 1);
    const scan = scanOf(orderId, codes[0] ?? '');
    const { body } = await sale.organizer.post('/api/tickets/check-in', {
      code: codes[0],
      scanId: scan.scanId,
    });
    expect((await upload(sale, [scan])).body.results).toEqual([
      { scanId: scan.scanId, result: 'admitted', admittedAt: body.checkIn.checkedInAt },
    ]);
    expect(await readConflicts(sale)).toEqual([]);
  });

  it('have a result of their own for each seat, also under one scanId', async () => {
    const sale = await openSaleForTomorrow();
    const { orderId, codes } = await buyCodes(sale, buyer, 2);
    const scans = codes.map((code, index) =>
      scanOf(orderId, code, { scanId: 'reused', seat: `${orderId}.${index + 1}` }),
    );
    scans[1] = { ...scans[1], hash: hash('forged') } as (typeof scans)[number];
    const expected = [
      { scanId: 'reused', result: 'admitted', admittedAt: scans[0]?.at },
      { scanId: 'reused', result: 'unknown', admittedAt: null },
    ];
    expect((await upload(sale, scans)).body.results).toEqual(expected);
    for (const [index, scan] of scans.entries())
      expect((await upload(sale, [scan])).body.results).toEqual([expected[index]]);
    expect(await countAdmitted(sale)).toBe(1);
  });

  it.each(['1970-01-01T00:00:00Z', '0000-01-01T00:00:00+23:59'])(
    'at %s are admitted as of a day before the creation of the event',
    async (at) => {
      const sale = await openSaleForTomorrow();
      const { orderId, codes } = await buyCodes(sale, buyer, 1);
      const admittedAt = new Date(Date.parse(sale.event.createdAt) - 24 * 3600 * 1000).toISOString();
      const { body } = await upload(sale, [scanOf(orderId, codes[0] ?? '', { at })]);
      expect(body.results).toMatchObject([{ result: 'admitted', admittedAt }]);
    },
  );

  it('are refused from people who do not work at the event', async () => {
    const sale = await openSaleForTomorrow();
    const { orderId, codes } = await buyCodes(sale, buyer, 1);
    const answer = await upload(sale, [scanOf(orderId, codes[0] ?? '')], { staff: buyer });
    expect(errorOf(answer)).toEqual([403, 'forbidden']);
    expect(await countAdmitted(sale)).toBe(0);
  });
});

describe('check-in lists', () => {
  const openSaleWithLists = async () => {
    const sale = await openSaleForTomorrow();
    const [floor, backstage] = sale.event.tiers;
    const { body } = await changeEvent(sale, {
      checkInLists: [
        { name: 'Gate', allowExit: true },
        { name: 'Backstage door', tierIds: [backstage.id] },
        { name: 'Every day', tierIds: [floor.id], oncePer: 'day' },
      ],
    });
    const [gate, door, daily] = body.event.checkInLists;
    return { sale, gate, door, daily };
  };
  const scan = (sale: Sale, code: string | undefined, fields: object) =>
    sale.organizer.post('/api/tickets/check-in', { code, ...fields });

  it('admit a seat once each, its tiers only, and count it once', async () => {
    const { sale, gate, door, daily } = await openSaleWithLists();
    const { orderId, codes } = await buyCodes(sale, buyer, 1);
    const [code] = codes;
    expect(errorOf(await scan(sale, code, {}))).toEqual([400, 'invalid-input']);
    expect(errorOf(await scan(sale, code, { listId: 'none' }))).toEqual([400, 'invalid-input']);
    const wrong = await scan(sale, code, { listId: door.id });
    expect(errorOf(wrong)).toEqual([409, 'wrong-list']);
    expect(wrong.body.error).toContain('Gate, Every day');
    const atGate = await Promise.all([1, 2, 3].map(() => scan(sale, code, { listId: gate.id })));
    expect(sortedStatuses(atGate)).toEqual([200, 409, 409]);
    expect((await scan(sale, code, { listId: daily.id })).status).toBe(200);
    expect(errorOf(await scan(sale, code, { listId: daily.id }))).toEqual([409, 'already-checked-in']);
    expect(await countAdmitted(sale)).toBe(1);

    const undo = (query = '') => sale.organizer.delete(`/api/orders/${orderId}/seats/1/admission${query}`);
    await undo();
    expect(await countAdmitted(sale)).toBe(1);
    const again = expectStatus(200, await scan(sale, code, { listId: daily.id }));
    for (let repetition = 0; repetition < 2; repetition++)
      await undo(`?checkedInAt=${again.checkIn.checkedInAt}`);
    expect(errorOf(await scan(sale, code, { listId: gate.id }))).toEqual([409, 'already-checked-in']);
    expect((await scan(sale, code, { listId: daily.id })).status).toBe(200);
    await undo();
    await undo();
    expect(await countAdmitted(sale)).toBe(0);
  });

  it('let people out and in again where they allow it', async () => {
    const { sale, gate, daily } = await openSaleWithLists();
    const { codes } = await buyCodes(sale, buyer, 1);
    const [code] = codes;
    const at = (fields: object) => scan(sale, code, { listId: gate.id, ...fields });
    expect(errorOf(await at({ direction: 'exit' }))).toEqual([409, 'not-inside']);
    expect((await at({})).status).toBe(200);
    const out = await at({ direction: 'exit', scanId: 'out' });
    expect(out.body.checkIn).toMatchObject({ direction: 'exit', listName: 'Gate' });
    expect((await at({ direction: 'exit', scanId: 'out' })).body).toEqual(out.body);
    expect(errorOf(await at({ direction: 'exit' }))).toEqual([409, 'not-inside']);
    expect(sortedStatuses(await Promise.all([1, 2, 3].map(() => at({}))))).toEqual([200, 409, 409]);
    expect(await countAdmitted(sale)).toBe(1);
    await scan(sale, code, { listId: daily.id });
    expect((await scan(sale, code, { listId: daily.id, direction: 'exit' })).status).toBe(400);
  });

  it('let a ticket out once by an exit whose answer was lost, also when it has come in again since', async () => {
    const { sale, gate } = await openSaleWithLists();
    const { orderId, codes } = await buyCodes(sale, buyer, 1);
    const [code = ''] = codes;
    const at = (fields: object) => scan(sale, code, { listId: gate.id, ...fields });
    expect((await at({})).status).toBe(200);
    const exit = scanOf(orderId, code, { direction: 'exit', at: new Date().toISOString() });
    expect((await at({ direction: 'exit', scanId: exit.scanId })).status).toBe(200);
    expect((await at({})).status).toBe(200);
    await upload(sale, [exit], { listId: gate.id });
    expect(errorOf(await at({}))).toEqual([409, 'already-checked-in']);
  });

  it('are a conflict when another admission and its exit enclose the time of the scan', async () => {
    const { sale, gate } = await openSaleWithLists();
    const { orderId, codes } = await buyCodes(sale, buyer, 1);
    const [code = ''] = codes;
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
    const inAndOut = [
      scanOf(orderId, code, { at: ago(60) }),
      scanOf(orderId, code, { direction: 'exit', at: ago(20) }),
    ];
    await upload(sale, inAndOut, { listId: gate.id });
    const between = await upload(sale, [scanOf(orderId, code, { at: ago(40) })], { listId: gate.id });
    expect(between.body.results).toMatchObject([{ result: 'already-admitted', admittedAt: inAndOut[0]?.at }]);
    expect((await scan(sale, code, { listId: gate.id })).status).toBe(200);
  });

  it('admit once a day also when a scan of the day before goes up late', async () => {
    const { sale, daily } = await openSaleWithLists();
    const { orderId, codes } = await buyCodes(sale, buyer, 1);
    const [code = ''] = codes;
    expect((await scan(sale, code, { listId: daily.id })).status).toBe(200);
    const at = new Date(Date.now() - 24 * 3600 * 1000).toISOString();
    await upload(sale, [scanOf(orderId, code, { at })], { listId: daily.id });
    expect(errorOf(await scan(sale, code, { listId: daily.id }))).toEqual([409, 'already-checked-in']);
  });

  it('hold for scans that were made offline, and for the list of a device', async () => {
    const { sale, gate, door } = await openSaleWithLists();
    const { orderId, codes } = await buyCodes(sale, buyer, 1);
    const [code = ''] = codes;
    const scans = [
      scanOf(orderId, code),
      scanOf(orderId, code, { direction: 'exit', at: new Date(Date.now() - 50_000).toISOString() }),
      scanOf(orderId, code, { at: new Date(Date.now() - 40_000).toISOString() }),
    ];
    const { body } = await upload(sale, scans, { listId: gate.id });
    expect(body.results.map(({ result }: { result: string }) => result)).toEqual(Array(3).fill('admitted'));
    expect(await countAdmitted(sale)).toBe(1);
    const wrong = await upload(sale, [scanOf(orderId, code)], { listId: door.id });
    expect(wrong.body.results).toMatchObject([{ result: 'wrong-list' }]);
    const statusAt = async (listId: string) =>
      findSeats(await readDoor(sale, `?listId=${listId}`), orderId) as { status?: string }[];
    expect(await statusAt(gate.id)).toMatchObject([{ status: 'admitted', admittedAt: scans[2]?.at }]);
    expect(await statusAt(door.id)).toMatchObject([{ status: 'valid', admittedAt: null }]);
    expect((await sale.organizer.get(`/api/events/${sale.event.id}/door`)).status).toBe(400);
  });

  it('are refused with unknown tiers, repeated names and unknown ids', async () => {
    const { sale, gate } = await openSaleWithLists();
    const change = async (checkInLists: object[]) => (await changeEvent(sale, { checkInLists })).status;
    expect(await change([{ name: 'A', tierIds: ['none'] }])).toBe(400);
    expect(await change([{ name: 'A' }, { name: 'A' }])).toBe(400);
    expect(await change([{ id: 'none', name: 'A' }])).toBe(400);
    expect(await change([{ id: gate.id, name: 'A' }])).toBe(200);
  });
});
