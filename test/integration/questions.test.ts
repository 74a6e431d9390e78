import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  acceptTransfer,
  buyTickets,
  changeEvent,
  createEvent,
  nameAttendee,
  offerSeat,
  type Person,
  payOrder,
  placeOrder,
  readOrder,
  registerUser,
  requestOrder,
  type Sale,
} from '../support/fixtures.ts';
import { errorOf } from '../support/http.ts';

// biome-ignore lint/suspicious/noExplicitAny: the answers have no types
type Json = any;

let organizer: Person;
let buyer: Person;
beforeAll(async () => {
  [organizer, buyer] = await Promise.all([registerUser({ role: 'ORGANIZER' }), registerUser()]);
});

const food = { label: 'Food', kind: 'choice', options: ['meat', 'vegan'], per: 'ticket', required: true };
const terms = { label: 'Terms', kind: 'checkbox', required: true };
const note = { label: 'Note', kind: 'longtext' };

/** An event with two tiers and parking, that asks for the food of each ticket, the terms and a note. */
async function openSaleWithQuestions(
  fields: object = {},
): Promise<Sale & { ids: string[]; tiers: string[] }> {
  const tiers = [
    { name: 'Adult', price: 50, quantity: 10 },
    { name: 'Child', price: 10, quantity: 10 },
    { name: 'Parking', price: 5, quantity: 5, kind: 'addon' },
  ];
  const event = await createEvent(organizer, {
    currency: 'NGN',
    tiers,
    questions: [food, terms, note],
    ...fields,
  });
  const [ids, tierIds] = [event.questions, event.tiers].map((list) => list.map(({ id }: Json) => id));
  return { organizer, event, ids, tiers: tierIds };
}

const itemsOf = ({ tiers }: { tiers: string[] }) => [
  { tierId: tiers[2], quantity: 1 },
  { tierId: tiers[0], quantity: 1 },
  { tierId: tiers[1], quantity: 1 },
];

it('are asked with the order, of the tickets that they are for', async () => {
  const sale = await openSaleWithQuestions();
  const [foodId, termsId, noteId] = sale.ids;
  const items = itemsOf(sale);
  const missing = await requestOrder(sale, buyer, { items });
  expect(errorOf(missing)).toEqual([400, 'invalid-input']);
  expect(JSON.parse(missing.headers.get('x-error-fields') ?? '').map(({ message }: Json) => message)).toEqual(
    ['Please answer: Food', 'Please answer: Terms'],
  );
  const wrong = [
    { questionId: foodId, number: 3, value: 'meat' },
    { questionId: foodId, number: 1, value: 'stones' },
    { questionId: foodId, value: 'meat' },
    { questionId: termsId, value: 'yes' },
    { questionId: termsId, value: false },
    { questionId: termsId, number: 1, value: true },
    { questionId: 'unknown', value: 'x' },
  ];
  for (const answer of wrong) {
    const answers = [answer, { questionId: foodId, number: 2, value: 'meat' }];
    const { headers, status } = await requestOrder(sale, buyer, { items, answers });
    const [first] = JSON.parse(headers.get('x-error-fields') ?? '[{}]');
    expect([status, first.path], JSON.stringify(answer)).toEqual([400, 'answers.0']);
  }
  const answers = [
    { questionId: foodId, number: 1, value: 'meat' },
    { questionId: foodId, number: 2, value: 'vegan' },
    { questionId: termsId, value: true },
    { questionId: noteId, value: 'We come\nlate.' },
  ];
  const order = await placeOrder(sale, buyer, { items, answers });
  await payOrder(order);
  expect((await order.read()).answers).toEqual(answers);
  expect((await readOrder(organizer, order.orderId)).answers).toEqual(answers);

  const headers = { accept: 'text/csv' };
  const path = `/api/events/${sale.event.id}`;
  const orders = (await organizer.get(`${path}/orders`, { headers })).body.split('\r\n');
  expect(orders[0]).toMatch(/"Food","Terms","Note"$/);
  expect(orders[1]).toMatch(/"meat","yes","We come\nlate."$/);
  const { attendees } = (await organizer.get(`${path}/attendees`)).body;
  expect(attendees).toMatchObject([
    { number: 1, tierName: 'Adult', kind: 'ticket', answers: [{ value: 'meat' }, { value: true }, {}] },
    { number: 2, tierName: 'Child', answers: [{ value: 'vegan' }] },
    { number: 3, tierName: 'Parking', kind: 'addon', answers: [] },
  ]);
  const csv = (await organizer.get(`${path}/attendees`, { headers })).body;
  expect(csv).toContain('"Child"');

  const { orders: exported, answers: own } = (await buyer.get(`/api/users/${buyer.user.id}/export`)).body;
  expect(exported.map(({ id }: Json) => id)).toContain(order.orderId);
  expect(own).toHaveLength(4);
});

it('are exported in several parts when they are long', async () => {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const labels = Array.from({ length: 10 }, (_, index) => `Question ${index}`);
  const event = await createEvent(organizer, {
    tiers: [{ name: 'Free', price: 0, quantity: 200, maxPerPerson: 100 }],
    maxPerWallet: 100,
    questions: labels.map((label) => ({ label, kind: 'longtext', per: 'order' })),
  });
  const ids = event.questions.map(({ id }: Json) => id);
  const answers = ids.map((questionId: string) => ({ questionId, value: '漢'.repeat(2_000) }));
  const sale = { organizer, event };
  const orders = await Promise.all(
    Array.from({ length: 60 }, () => placeOrder(sale, buyer, { quantity: 1, answers })),
  );
  for (const list of ['orders', 'attendees']) {
    let [rows, cursor, parts] = ['', '', 0];
    do {
      const headers = { accept: 'text/csv' };
      const answer = await organizer.get(`/api/events/${event.id}/${list}${cursor && `?cursor=${cursor}`}`, {
        headers,
      });
      expect(answer.status).toBe(200);
      rows += answer.body;
      cursor = answer.headers.get('x-next-cursor') ?? '';
      parts++;
    } while (cursor);
    expect(parts).toBeGreaterThan(1);
    for (const { orderId } of orders) expect(rows).toContain(orderId);
  }
});

it('are about questions of at most 10,000 characters together, since lists of events contain them', async () => {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const options = Array.from({ length: 50 }, (_, index) => `${index} ${'a'.repeat(190)}`);
  const body = {
    title: 'Long',
    venue: 'Hall',
    startDate: '2040-01-01T20:00:00Z',
    questions: [1, 2].map((number) => ({ label: `Meal ${number}`, kind: 'choice', options })),
  };
  expect(errorOf(await organizer.post('/api/events', body))).toEqual([400, 'invalid-input']);
  const questions = body.questions.slice(1);
  expect((await organizer.post('/api/events', { ...body, questions })).status).toBe(201);
});

it('of an order have at most 100 KB together', async () => {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const event = await createEvent(organizer, {
    tiers: [{ name: 'Free', price: 0, quantity: 60, maxPerPerson: 60 }],
    maxPerWallet: 60,
    questions: [{ ...note, per: 'ticket' }],
  });
  const { orderId } = await placeOrder({ event }, buyer, { quantity: 60 });
  const answer = (numbers: number[]) =>
    buyer.put(`/api/orders/${orderId}/answers`, {
      answers: numbers.map((number) => ({
        questionId: event.questions[0].id,
        number,
        value: 'a'.repeat(2_000),
      })),
    });
  const numbers = Array.from({ length: 60 }, (_, index) => index + 1);
  expect((await answer(numbers.slice(0, 30))).status).toBe(200);
  expect(errorOf(await answer(numbers.slice(30)))).toEqual([400, 'invalid-input']);
});

it('can be answered later, by the buyer and by the holder of a ticket, and are erased', async () => {
  const sale = await openSaleWithQuestions({ questionsWhen: 'later' });
  const [foodId, termsId] = sale.ids;
  const [friend, guest] = await Promise.all([registerUser(), registerUser()]);
  const { orderId } = await buyTickets(sale, guest, 2);
  const path = `/api/orders/${orderId}/answers`;
  const put = (answers: object[], caller = guest) => caller.put(path, { answers });
  expect((await put([{ questionId: foodId, number: 1, value: 'meat' }])).status).toBe(200);
  expect((await put([{ questionId: termsId, value: true }])).status).toBe(200);
  const [{ status }, other] = await Promise.all([
    put([{ questionId: foodId, number: 1, value: 'vegan' }]),
    put([{ questionId: foodId, number: 2, value: 'meat' }]),
  ]);
  expect([status, other?.status]).toEqual([200, 200]);
  expect((await readOrder(guest, orderId)).answers).toHaveLength(3);

  const offer = (await offerSeat(guest, orderId, 2, friend.user.email)).body.transfer;
  await acceptTransfer(friend, offer.token);
  expect(errorOf(await put([{ questionId: foodId, number: 2, value: 'vegan' }]))).toEqual([409, 'moved']);
  const answers = [{ questionId: foodId, value: 'vegan' }];
  expect((await nameAttendee(friend, orderId, 2, { name: 'Fay', answers })).status).toBe(200);
  expect((await readOrder(guest, orderId)).answers.map(({ number }: Json) => number ?? 0).sort()).toEqual([
    0, 1,
  ]);
  expect((await readOrder(organizer, orderId)).answers).toHaveLength(3);

  expect((await guest.post(`/api/users/${guest.user.id}/erasure`)).status).toBe(200);
  const left = await eventually('the answers are erased', async () => {
    const { answers } = await readOrder(organizer, orderId);
    return answers.length === 1 && answers;
  });
  expect(left).toEqual([{ questionId: foodId, number: 2, value: 'vegan' }]);

  await changeEvent(sale, { eventDate: new Date(Date.now() - 1000).toISOString() });
  expect(errorOf(await nameAttendee(friend, orderId, 2, { name: 'Fay', answers }))).toEqual([
    409,
    'event-began',
  ]);
});

it('are not exported to the person who gets a ticket from the one who gave them', async () => {
  const sale = await openSaleWithQuestions({
    tiers: [{ name: 'Free', price: 0, quantity: 10 }],
    questions: [{ label: 'Passport', kind: 'text', per: 'ticket' }],
  });
  const [receiver, [questionId]] = [await registerUser(), sale.ids];
  const answers = [{ questionId, number: 1, value: 'C01X00T47' }];
  const { orderId } = await placeOrder(sale, buyer, { answers });
  const { transfer } = (await offerSeat(buyer, orderId, 1, receiver.user.email)).body;
  expect((await acceptTransfer(receiver, transfer.token)).status).toBe(200);
  const { body, status } = await receiver.get(`/api/users/${receiver.user.id}/export`);
  expect(status).toBe(200);
  expect(JSON.stringify(body)).not.toContain('C01X00T47');
});

it('keep their kind; the seller of an order stays', async () => {
  const first = { name: 'Olu Ltd', address: '1 Road, Lagos', taxId: null };
  const sale = await openSaleWithQuestions({ seller: first, questionsWhen: 'later' });
  const order = await placeOrder(sale, buyer);
  const [question] = sale.event.questions;
  const renamed = { ...question, label: 'Meal' };
  const seller = { ...first, name: 'Olu and Sons' };
  const { event } = (await changeEvent(sale, { questions: [renamed], seller })).body;
  expect(event).toMatchObject({ questions: [{ id: question.id, label: 'Meal' }], seller });
  const answer = await changeEvent(sale, { questions: [{ ...renamed, kind: 'text', options: [] }] });
  expect(errorOf(answer)).toEqual([409, 'question-kind-fixed']);
  expect(errorOf(await changeEvent(sale, { questions: [{ ...question, id: 'x' }] }))[0]).toBe(400);
  expect(errorOf(await changeEvent(sale, { questions: [{ ...terms, tierIds: ['x'] }] }))[0]).toBe(400);
  expect(errorOf(await changeEvent(sale, { questions: [{ label: 'Size', kind: 'choice' }] }))[0]).toBe(400);
  expect((await order.read()).seller).toEqual(first);
  const next = await placeOrder(sale, await registerUser());
  expect(await next.read()).toMatchObject({ seller, language: 'en' });
});
