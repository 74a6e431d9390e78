import type { IncomingMessage } from 'node:http';

/**
 * The body's exact bytes, or undefined when there are more than `limit`; the rest is then read and dropped, so
 * that the client gets to read the answer. @throws when the client goes away half-way
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
    request.once('close', () => reject(new Error('The client went away')));
  });
}
