import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openContext, screenshot, useBrowser } from '../support/browser.ts';
import { registerUser } from '../support/fixtures.ts';

useBrowser();

/** Swagger UI takes seconds of a processor for each operation that it expands, and more beside other tests. */
async function openPatientPage(): Promise<Page> {
  const page = await (await openContext()).newPage();
  page.setDefaultTimeout(250_000);
  return page;
}

/** Executes an expanded operation of Swagger UI, and returns the service's answer. */
async function execute(operation: Locator): Promise<{ status: string; body: string }> {
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table .response');
  await answer.waitFor();
  return {
    status: await answer.locator('.response-col_status').innerText(),
    body: await answer.locator('.highlight-code').first().innerText(),
  };
}

test('the API reference sends requests as the user who logged in there', async () => {
  const { user, password } = await registerUser();
  const page = await openPatientPage();
  const errors: string[] = [];
  page.on('console', (line) => line.type() === 'error' && errors.push(line.text()));
  await page.goto('/docs#/auth/login');

  const login = page.locator('#operations-auth-login');
  await login.getByRole('textbox').fill(JSON.stringify({ email: user.email, password }));
  expect(await execute(login)).toMatchObject({ status: expect.stringMatching(/^200/) });
  await page.getByRole('button', { name: /^GET .api.auth.me Get the caller/ }).click();
  const me = page.locator('#operations-auth-me');
  const answer = await execute(me);
  expect(answer.status).toMatch(/^200/);
  expect(answer.body).toContain(user.email);
  await screenshot(page, 'docs', { fullPage: false });
  expect(errors).toEqual([]);
});

test('a link above the API reference expands its operation and scrolls to it', async () => {
  const page = await openPatientPage();
  await page.goto('/docs');
  for (const name of ['login', 'register']) {
    await page.getByRole('link', { name: `POST /api/auth/${name}` }).click();
    const operation = page.locator(`#operations-auth-${name}`);
    await operation.getByRole('button', { name: 'Execute' }).waitFor();
    await expect
      .poll(async () => (await operation.boundingBox())?.y)
      .toSatisfy((y: number) => y > -2 && y < 400);
  }
});
