import { randomUUID } from 'node:crypto';
import { type FunctionRow, functionName } from '../../functions.ts';
import { accountId, region } from '../parts/aws.ts';
import type { Invoke } from './lambda.ts';

/** The first run comes soon, so that work left from the last start doesn't wait for a whole period. */
const firstRunMilliseconds = 2_000;

/** Calls every scheduled row, as EventBridge does. @returns a function that stops it */
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
