import { sendMail } from '../../shared/messaging/mail/send-mail.ts';
import type { Messages } from '../../shared/runtime/queue.ts';
import { queueWorker } from '../../shared/runtime/worker.ts';

export const handler = queueWorker(({ mailId }: Messages['mail']) => sendMail(mailId));
