import { HttpError, listEventOrders } from 'boxoffice-client';

/**
 * Downloads all orders of an event as one CSV file. A plain link could not send the access token.
 * @throws HttpError when the API answers with an error
 */
export async function downloadEventOrders(eventId: string): Promise<void> {
  const parts: string[] = [];
  let cursor: string | undefined;
  do {
    const { status, data, headers } = await listEventOrders(
      eventId,
      { cursor },
      { headers: { accept: 'text/csv' } },
    );
    if (status !== 200) throw new HttpError(status, data, headers);
    // The client's type is that of the JSON answer. With `accept: text/csv`, the answer is text.
    const text = data as unknown as string;
    parts.push(cursor ? text.slice(text.indexOf('\n') + 1) : text);
    cursor = headers.get('x-next-cursor') ?? undefined;
  } while (cursor);
  downloadFile(new Blob(parts, { type: 'text/csv' }), `orders-${eventId}.csv`);
}

function downloadFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
