import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashCode, judge } from '../../infra/storefront/src/door/judge.ts';
import {
  addStaff,
  buyTickets,
  createEvent,
  expectStatus,
  type Person,
  readCheckInCodes,
  registerUser,
  renewSession,
  type Sale,
} from '../support/fixtures.ts';
import { Random } from '../support/random.ts';

/** The seats and the steps of each device. The issue asks for 20,000 seats: `npm run nightly -- door`. */
const seatCount = Number(process.env.DOOR_SEATS ?? 300);
const stepsOfDevice = Number(process.env.DOOR_STEPS ?? 25);
const deviceCount = 12;
const seatsOfOrder = Math.min(500, seatCount / 6);

// biome-ignore lint/suspicious/noExplicitAny: answers of the API
type Json = any;

/** Somebody with a valid access token: the long form of the drill outlives several. */
type Session = () => Promise<Person>;

function keepSession(person: Person): Session {
  let current = Promise.resolve(person);
  let renewedAt = Date.now();
  return () => {
    if (Date.now() - renewedAt > 300_000) {
      renewedAt = Date.now();
      current = current.then(renewSession);
    }
    return current;
  };
}

/** A seat as its holder knows it. */
interface HeldSeat {
  orderId: string;
  number: number;
  holder: Session;
  code: string;
}

interface Scan {
  scanId: string;
  seat: string;
  hash: string;
  at: string;
  direction: 'entry';
}

/** A device at the door: the decisions of the check-in page, with its storage in memory. */
class Device {
  readonly id: string;
  readonly #sale: Sale;
  readonly #staff: Session;
  readonly seats = new Map<string, Json>();
  #door: Json;
  #waiting: Scan[] = [];
  isOnline = true;

  constructor(id: string, sale: Sale, staff: Session) {
    this.id = id;
    this.#sale = sale;
    this.#staff = staff;
  }

  get #path() {
    return `/api/events/${this.#sale.event.id}/door`;
  }

  /** Sends what it has let in, and loads what has changed. @returns the results of the scans */
  async synchronize(): Promise<Map<Scan, string>> {
    const results = new Map<Scan, string>();
    while (this.#waiting.length > 0) {
      const scans = this.#waiting.slice(0, 100);
      const body = { deviceId: this.id, scans };
      const staff = await this.#staff();
      const answer = expectStatus(200, await staff.post(`${this.#path}/scans`, body));
      for (const [index, { result }] of answer.results.entries()) results.set(scans[index] as Scan, result);
      this.#waiting = this.#waiting.slice(scans.length);
    }
    for (let isComplete = false; !isComplete; ) {
      const cursor = this.#door?.cursor;
      const staff = await this.#staff();
      this.#door = expectStatus(200, await staff.get(this.#path + (cursor ? `?cursor=${cursor}` : '')));
      if (this.#door.isFirst) this.seats.clear();
      for (const seat of this.#door.seats) this.seats.set(seat.seat, seat);
      isComplete = this.#door.isComplete;
    }
    return results;
  }

  /** Scans a code. @returns the id of a scan that admitted online; the scan that was kept offline; else nothing */
  async scan({ code, orderId, number }: HeldSeat): Promise<{ online?: string; kept?: Scan }> {
    const scanId = randomUUID();
    if (this.isOnline) {
      const body = { code, eventId: this.#sale.event.id, scanId, deviceId: this.id };
      const { status } = await (await this.#staff()).post('/api/tickets/check-in', body);
      return status === 200 ? { online: `${orderId}.${number}` } : {};
    }
    const hash = await hashCode(code);
    const seat = this.seats.get(`${orderId}.${number}`);
    const scans = this.#waiting.filter((scan) => scan.seat === `${orderId}.${number}`);
    const { event } = this.#door;
    const known = {
      event,
      listId: undefined,
      direction: 'entry' as const,
      seat,
      scans,
      hash,
      now: new Date(),
    };
    const verdict = judge(code, known);
    if (verdict.kind !== 'admit') return {};
    const kept = {
      scanId,
      seat: verdict.seat.seat,
      hash,
      at: new Date().toISOString(),
      direction: 'entry' as const,
    };
    this.#waiting.push(kept);
    return { kept };
  }
}

it('twelve devices that go on and off agree with the service in the end, and no scan is lost', async () => {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const startDate = new Date(Date.now() + 3600 * 1000).toISOString();
  const tiers = [{ name: 'Floor', price: 5, quantity: 2 * seatCount, maxPerPerson: 500 }];
  const event = await createEvent(organizer, { startDate, currency: 'NGN', tiers, maxPerWallet: 500 });
  const sale = { organizer, event };
  const organizing = keepSession(organizer);
  const doorPerson = await registerUser();
  await addStaff(organizer, event.id, doorPerson, 'door');
  const staff = keepSession(doorPerson);
  const buy = async (quantity: number): Promise<HeldSeat[]> => {
    const buyer = await registerUser();
    const holder = keepSession(buyer);
    const { orderId } = await buyTickets(sale, buyer, quantity);
    const codes = await readCheckInCodes(buyer, orderId);
    return codes.map((code, index) => ({ orderId, number: index + 1, holder, code }));
  };
  const held: HeldSeat[] = [];
  while (held.length < seatCount) held.push(...(await buy(seatsOfOrder)));
  const receiver = keepSession(await registerUser({ name: 'Rita Receiver' }));
  const random = new Random(37);

  const admittedOnline = new Set<string>();
  const kept = new Map<string, { scan: Scan; device: Device; result?: string }>();
  const devices = Array.from({ length: deviceCount }, (_, index) => new Device(`gate-${index}`, sale, staff));
  const synchronize = async (device: Device) => {
    for (const [scan, result] of await device.synchronize()) {
      const entry = kept.get(scan.scanId);
      // Each scan has one result.
      expect(entry?.result).toBeUndefined();
      kept.set(scan.scanId, { scan, device, result });
    }
  };
  /** What was scanned last, at any gate: one code in ten is shown again at another one. */
  let shown: HeldSeat[] = [];
  const nextSeat = () => {
    const seats = shown.length > 0 && random.next() < 0.1 ? shown : held;
    const seat = seats[random.between(0, seats.length - 1)] as HeldSeat;
    shown = [...shown, seat].slice(-50);
    return seat;
  };
  const stepOfDevice = async (device: Device) => {
    const draw = random.next();
    if (draw < 0.15) device.isOnline = !device.isOnline;
    if (device.isOnline && draw < 0.3) return synchronize(device);
    const { online, kept: scan } = await device.scan(nextSeat());
    if (online) {
      expect(admittedOnline.has(online)).toBe(false);
      admittedOnline.add(online);
    }
    if (scan) kept.set(scan.scanId, { scan, device });
  };
  /** Hands a seat over, refunds one, or sells more. A step that the service refuses changes nothing. */
  const stepOfOthers = async () => {
    const draw = random.next();
    const seat = held[random.between(0, held.length - 1)] as HeldSeat;
    const path = `/api/orders/${seat.orderId}`;
    if (draw < 0.4) {
      await (await organizing()).post(`${path}/refund`, { seats: [seat.number] });
    } else if (draw < 0.9) {
      const holder = await seat.holder();
      const to = await receiver();
      const offer = await holder.post(`${path}/seats/${seat.number}/transfer`, { email: to.user.email });
      if (offer.status !== 201) return;
      const answer = await to.post(`/api/transfers/${offer.body.transfer.token}/accept`);
      if (answer.status !== 200) return;
      const { seats } = (await to.get(`/api/seats?orderId=${seat.orderId}&limit=100`)).body;
      const received = seats.find(({ number }: Json) => number === seat.number);
      // The former holder still has the old code, and tries it.
      if (received?.checkInCode) held.push({ ...seat, holder: receiver, code: received.checkInCode });
    } else held.push(...(await buy(5)));
  };

  await Promise.all(devices.map(synchronize));
  await Promise.all([
    ...devices.map(async (device) => {
      for (let step = 0; step < stepsOfDevice; step++) await stepOfDevice(device);
    }),
    (async () => {
      for (let step = 0; step < stepsOfDevice; step++) await stepOfOthers();
    })(),
  ]);
  for (const device of devices) {
    device.isOnline = true;
    await synchronize(device);
  }

  const results = [...kept.values()];
  expect(results.filter(({ result }) => result === undefined)).toEqual([]);
  const admittedOffline = results.filter(({ result }) => result === 'admitted').map(({ scan }) => scan.seat);
  const admitted = [...admittedOnline, ...admittedOffline];
  expect(new Set(admitted).size).toBe(admitted.length);
  expect(admittedOffline.length).toBeGreaterThan(0);

  const { body } = await (await organizing()).get(`/api/events/${event.id}/admissions`);
  expect(body.admitted).toBe(admitted.length);
  const refused = results.filter(({ result }) => result !== 'admitted');
  expect(refused.length).toBeGreaterThan(0);
  const conflicts = new Map<string, Json>(
    body.conflicts.map((conflict: Json) => [conflict.scanId, conflict]),
  );
  expect(conflicts.size).toBe(refused.length);
  for (const { scan, device, result } of refused) {
    const conflict = conflicts.get(scan.scanId);
    expect(conflict).toMatchObject({ deviceId: device.id, at: scan.at, result });
    expect(conflict.first === null).toBe(result !== 'already-admitted');
  }

  // All devices have what a new one loads, also those that learned it by changes.
  const fresh = new Device('fresh', sale, staff);
  await fresh.synchronize();
  const inside = [...fresh.seats.values()].filter(({ status }) => status === 'admitted');
  expect(new Set(inside.map(({ seat }) => seat))).toEqual(new Set(admitted));
  for (const device of devices) {
    await device.synchronize();
    expect(device.seats).toEqual(fresh.seats);
  }
});
