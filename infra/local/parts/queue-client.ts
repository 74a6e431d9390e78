import { Agent, request } from 'node:http';

/** A message in SQS's JSON protocol. */
export interface Message {
  MessageId: string;
  ReceiptHandle: string;
  MD5OfBody: string;
  Body: string;
  Attributes: Record<string, string>;
  MessageAttributes?: Record<string, { DataType?: string; StringValue?: string }>;
}

/**
 * A poller's client of the SQS-compatible server. It does not use the SDK, which took a fifth of the main thread's
 * time and slowed the functions down. On AWS, the polling runs on other machines.
 */
export class QueueClient {
  readonly #queueUrl: string;
  readonly #stopped: AbortSignal;
  readonly #agent = new Agent({ keepAlive: true });

  /** @param stopped aborts the calls in progress */
  constructor(queueUrl: string, stopped: AbortSignal) {
    this.#queueUrl = queueUrl;
    this.#stopped = stopped;
  }

  /** Receives up to `count` messages, waiting up to `waitSeconds` for them. */
  async receive(count: number, waitSeconds: number): Promise<Message[]> {
    const { Messages } = await this.#call<{ Messages?: Message[] }>('ReceiveMessage', {
      MaxNumberOfMessages: count,
      WaitTimeSeconds: waitSeconds,
      AttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    return Messages ?? [];
  }

  async delete(messages: readonly Message[]): Promise<void> {
    const Entries = messages.map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
    await this.#call('DeleteMessageBatch', { Entries });
  }

  #call<Result>(action: string, input: object): Promise<Result> {
    const body = JSON.stringify({ QueueUrl: this.#queueUrl, ...input });
    return new Promise((resolve, reject) => {
      request(
        this.#queueUrl,
        {
          method: 'POST',
          agent: this.#agent,
          signal: this.#stopped,
          headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
          });
          response.once('error', reject);
          response.once('end', () => {
            if (response.statusCode === 200) resolve(JSON.parse(text || '{}'));
            else reject(new Error(`${action} returned ${response.statusCode}: ${text}`));
          });
        },
      )
        .once('error', reject)
        .end(body);
    });
  }
}
