import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';

export const sqs = new SQSClient();

/** A queue for a load loop that handles its own messages. No worker of the stack receives them. */
export class LoopQueue {
  readonly url: string;

  private constructor(url: string) {
    this.url = url;
  }

  static async create(QueueName: string): Promise<LoopQueue> {
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName }));
    return new LoopQueue(QueueUrl);
  }

  /** Receives a batch of messages, handles them, and deletes them, as Lambda does. @param batchSize at most 10 */
  async handleBatch(batchSize: number, handle: (messages: Message[]) => Promise<void>): Promise<void> {
    const receive = new ReceiveMessageCommand({ QueueUrl: this.url, MaxNumberOfMessages: batchSize });
    const { Messages = [] } = await sqs.send(receive);
    if (Messages.length === 0) return;
    await handle(Messages);
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: this.url, Entries }));
  }
}
