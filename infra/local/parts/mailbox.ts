import { createRequire } from 'node:module';
import { StartError } from '../start-error.ts';
import { type Child, startChild, untilReady } from './child-process.ts';

const program = createRequire(import.meta.url).resolve('aws-ses-v2-local/dist/cli.js');

/**
 * Starts an SES-compatible server that stores mails in memory and shows them on a page. It listens on the loopback
 * interface only, and forwards no mail.
 * @throws StartError when the server does not start
 */
export async function startMailbox(port: number, log: string): Promise<Child & { url: string }> {
  const child = startChild([process.execPath, program, '--host', '127.0.0.1', '--port', `${port}`], {
    log,
    // A non-empty value would make the server forward mails.
    env: { ...process.env, SMTP_TRANSPORT: '' },
  });
  const url = `http://127.0.0.1:${port}`;
  if (!(await untilReady(() => fetch(`${url}/health-check`), child.ended))) {
    await child.stop();
    throw new StartError(`The SES-compatible server did not start. Its output is in ${log}.`);
  }
  return { ...child, url };
}
