import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser that all tests share listens; none without Chromium. */
    browser?: string;
  }
}

/** Chromium as Debian installs it; elsewhere CHROMIUM says where it is. */
export const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const flags =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  );

/** Starts the one browser that all browser tests share, each with visitors of its own. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!existsSync(executablePath)) {
    console.error(
      `The browser tests are skipped, since there is no Chromium at ${executablePath}: install it, or set CHROMIUM to where it is.`,
    );
    return undefined;
  }
  const server = await chromium.launchServer({ executablePath, args: flags });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
