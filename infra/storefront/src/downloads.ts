import {
  exportPerson,
  HttpError,
  listAttendees,
  listEventOrders,
  listWaitingList,
  makeApplePass,
  ok,
  printInvoice,
  printTicket,
  printTickets,
} from 'boxoffice-client';

/**
 * Downloads all orders of an event as one CSV file. A plain link could not send the access token.
 * @throws HttpError when the API answers with an error
 */
export const downloadEventOrders = (eventId: string): Promise<void> =>
  downloadCsv(listEventOrders, eventId, `orders-${eventId}.csv`);

/** Downloads the valid tickets of an event, one a row. @throws HttpError when the API answers with an error */
export const downloadAttendees = (eventId: string): Promise<void> =>
  downloadCsv(listAttendees, eventId, `attendees-${eventId}.csv`);

/** Downloads who waits for tickets of an event. @throws HttpError when the API answers with an error */
export const downloadWaitingList = (eventId: string): Promise<void> =>
  downloadCsv(listWaitingList, eventId, `waiting-list-${eventId}.csv`);

/**
 * Downloads the tickets of an order, as one PDF file for every 50 tickets.
 * @throws HttpError when the API answers with an error
 */
export async function downloadTickets({ id, reference }: { id: string; reference: string }): Promise<void> {
  for (let page = 1, pageCount = 1; page <= pageCount; page++) {
    const { data, headers } = await requireFile(printTickets(id, { page }));
    pageCount = Number(headers.get('x-pages'));
    downloadFile(data, `tickets-${reference}${pageCount > 1 ? `-${page}` : ''}.pdf`);
  }
}

/** Downloads the ticket of a seat as a PDF file. @throws HttpError when the API answers with an error */
export async function downloadTicket(orderId: string, number: number): Promise<void> {
  const { data } = await requireFile(printTicket(orderId, number));
  downloadFile(data, `ticket-${number}.pdf`);
}

/** Downloads the pass of a seat, which iPhones add to Apple Wallet. @throws HttpError when the API answers with an error */
export async function downloadPass(orderId: string, number: number): Promise<void> {
  const { data } = await requireFile(makeApplePass(orderId, number));
  downloadFile(data, `ticket-${number}.pkpass`);
}

/**
 * Downloads the invoice of an order, or the credit note of a refund.
 * @param refundId the refund of the credit note
 * @throws HttpError when the API answers with an error
 */
export async function downloadInvoice(
  { id, reference }: { id: string; reference: string },
  refundId?: string,
): Promise<void> {
  const refund = refundId === undefined ? undefined : Number(refundId);
  const { data } = await requireFile(printInvoice(id, { refund }));
  const name = refundId === undefined ? `invoice-${reference}` : `credit-note-${reference}-${refundId}`;
  downloadFile(data, `${name}.pdf`);
}

/** Downloads what is stored about a user, as JSON. @throws HttpError when the API answers with an error */
export async function downloadPersonalData(userId: string): Promise<void> {
  const data = await ok(exportPerson(userId));
  downloadFile(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), 'personal-data.json');
}

/** Returns a file that the API answers. @throws HttpError for another answer */
async function requireFile<Answer extends { status: number; data: Blob; headers: Headers }>(
  request: Promise<Answer>,
): Promise<Answer> {
  const answer = await request;
  const { status, data, headers } = answer;
  if (status !== 200) throw new HttpError(status, JSON.parse(await data.text()), headers);
  return answer;
}

async function downloadCsv(
  list: typeof listEventOrders | typeof listAttendees | typeof listWaitingList,
  eventId: string,
  name: string,
): Promise<void> {
  const parts: string[] = [];
  let cursor: string | undefined;
  do {
    const { status, data, headers } = await list(eventId, { cursor }, { headers: { accept: 'text/csv' } });
    if (status !== 200) throw new HttpError(status, data, headers);
    // The client's type is that of the JSON answer. With `accept: text/csv`, the answer is text.
    const text = data as unknown as string;
    parts.push(cursor ? text.slice(text.indexOf('\n') + 1) : text);
    cursor = headers.get('x-next-cursor') ?? undefined;
  } while (cursor);
  downloadFile(new Blob(parts, { type: 'text/csv' }), name);
}

function downloadFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
