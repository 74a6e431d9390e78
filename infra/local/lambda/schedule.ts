import { randomUUID } from 'node:crypto';
import { type FunctionRow, functionName } from '../../functions.ts';
import { accountId, region } from '../parts/aws.ts';
import type { Invoke } from './lambda.ts';

/** The delay of the first call. It is short, so that work from before the start does not wait for a whole period. */
const firstRunMilliseconds = 2_000;

/** Invokes every scheduled function, as EventBridge does. @returns a function that stops the schedule */
export function startSchedule(rows: readonly FunctionRow[], invoke: Invoke): () => void {
  const timers: NodeJS.Timeout[] = [];
  for (const row of rows) {
    if (!('everyMinutes' in row.trigger)) continue;
    const { everyMinutes } = row.trigger;
    const call = () => void invoke(functionName(row), scheduledEvent());
    timers.push(setTimeout(call, firstRunMilliseconds), setInterval(call, everyMinutes * 60_000));
  }
  return () => timers.forEach(clearTimeout);
}

function scheduledEvent() {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: accountId,
    time: new Date().toISOString(),
    region,
    resources: [],
    detail: {},
  };
}
