import { eventListQuery, listEvents } from '../../shared/events/list-events.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint({ caller: 'optional', query: eventListQuery }, ({ caller, query }) =>
  listEvents(query, caller?.userId),
);
