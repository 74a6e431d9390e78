import { eventPath } from '../../shared/events/event-input.ts';
import { getVisibleEvent, viewOf } from '../../shared/events/read-events.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint({ caller: 'optional', path: eventPath }, async ({ caller, path }) => ({
  event: await viewOf(await getVisibleEvent(path.id, caller?.userId)),
}));
