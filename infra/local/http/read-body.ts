import type { IncomingMessage } from 'node:http';

/**
 * Returns the body's exact bytes, or undefined for a body above `limit` bytes. The rest of a larger body is read and
 * discarded, so that the client can read the response.
 * @throws Error when the client disconnects before the end
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else resolve(undefined);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The client disconnected')));
  });
}
