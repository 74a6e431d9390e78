import { eventPath } from '../../shared/events/event-input.ts';
import { summarizeEvent } from '../../shared/events/summarize-event.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint({ caller: 'user', path: eventPath }, async ({ caller, path }) => ({
  summary: await summarizeEvent(path.id, caller.userId),
}));
