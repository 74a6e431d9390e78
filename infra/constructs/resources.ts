import type { MailResources } from './mail.ts';
import type { Queues } from './queues.ts';
import type { Secrets } from './secrets.ts';
import type { Tables } from './tables.ts';

/** The resources that functions share. Each function may use only the resources that its row in functions.ts names. */
export interface Resources {
  tables: Tables;
  queues: Queues;
  secrets: Secrets;
  /** Absent where mail is not configured. */
  mail: MailResources | undefined;
}
