import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The WebSocket address of the shared browser; undefined without Chromium. */
    browser?: string;
  }
}

/** The path of Chromium: CHROMIUM, or by default the path of Debian's package. */
export const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const flags =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  );

/** Starts the browser that all browser tests share. Each test opens its own contexts. */
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
