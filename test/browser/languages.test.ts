import { expect, test } from 'vitest';
import { expectAccessible, openContext, phone, useBrowser, waitForContent } from '../support/browser.ts';
import {
  anonymous,
  buyTickets,
  createCaller,
  createEvent,
  freshEmail,
  openSale,
  payOrder,
  placeOrder,
  registerUser,
} from '../support/fixtures.ts';
import { awaitMail } from '../support/mailbox.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

test('a visitor with a German browser buys a ticket on German pages, and then chooses English', async () => {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const event = await createEvent(organizer, {
    title: `Sprachen ${Date.now()}`,
    currency: 'EUR',
    buyers: 'anyone',
    tiers: [{ name: 'Parkett', price: 1200, quantity: 20 }],
  });
  const page = await (await openContext(undefined, { viewport: phone, locale: 'de-DE' })).newPage();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  const languageOf = () => page.locator('html').getAttribute('lang');

  await page.goto(`/events/${event.id}`);
  expect(await page.getByLabel('Anzahl: Parkett').inputValue()).toBe('1');
  expect(await languageOf()).toBe('de');
  await page.getByText('Noch 20 Tickets').waitFor();
  await page.getByText('Überweisung', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^1\.230,00\s€ bezahlen$/ }).waitFor();
  await expectAccessible(page, 'german-event');

  // The browser's and the service's refusals are German, too.
  await page.getByLabel('Code', { exact: true }).fill('WRONG');
  await page.getByRole('button', { name: 'Einlösen' }).click();
  await page.getByText('Diesen Code gibt es nicht').waitFor();
  await page.getByLabel('Code', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Einlösen' }).click();

  const email = freshEmail();
  await page.getByLabel('Name').fill('Gustav Gast');
  await page.getByLabel('E-Mail').fill(email);
  await page.getByRole('button', { name: /bezahlen$/ }).click();
  await page.waitForURL(`${sharedStack().sandboxUrl}/checkout/**`);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL('/orders/*?reference=BOX-*');
  await page.getByRole('heading', { name: 'Vielen Dank, Ihre Bestellung ist bezahlt' }).waitFor();
  await page.getByText(`Ihre Tickets wurden an ${email} geschickt.`).waitFor();
  await page.getByRole('heading', { name: 'Am Einlass' }).waitFor();
  await expectAccessible(page, 'german-order');
  await awaitMail(email, 'Ihr Ticket für');

  await page.getByRole('button', { name: 'Menü' }).click();
  await page.getByLabel('Sprache').selectOption('English');
  await page.getByRole('heading', { name: 'Thank you, your order is paid' }).waitFor();
  expect(await languageOf()).toBe('en');

  // The choice stays, and English pages load no other language.
  requested.length = 0;
  await page.goto('/login');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await languageOf()).toBe('en');
  const scripts = requested.filter((path) => path.endsWith('.js'));
  const texts = await Promise.all(scripts.map(async (path) => (await page.request.get(path)).text()));
  expect(texts.join().includes('Passwort')).toBe(false);
  expect(texts.join().includes('Password')).toBe(true);
});

test('the pages of an organizer fit the screen in German, too', async () => {
  const sale = await openSale();
  const { event, organizer } = sale;
  await buyTickets(sale, await registerUser(), 2);
  const context = await openContext(organizer, { locale: 'de-DE' });
  for (const [name, path, heading] of [
    ['sales', `/organizer/events/${event.id}`, 'Verkauft'],
    ['edit', `/organizer/edit/${event.id}`, 'Veranstaltung bearbeiten'],
    ['codes', `/organizer/codes/${event.id}`, 'Code erstellen'],
    ['door', `/organizer/check-in/${event.id}`, event.title],
    ['account', '/account', 'Anmeldung in zwei Schritten'],
  ] as const) {
    const page = await context.newPage();
    await page.goto(path);
    await waitForContent(page);
    await page.getByRole('heading', { name: heading }).first().waitFor();
    await expectAccessible(page, `german-${name}`);
    await page.close();
  }

  // What the API says about a field is German, too.
  const page = await context.newPage();
  await page.goto('/organizer/page');
  await page.getByLabel('Name', { exact: true }).fill('Alter Bahnhof');
  await page.getByLabel('Adresse', { exact: true }).fill('boxoffice');
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Dieses Wort ist vergeben. Bitte wählen Sie ein anderes.').waitFor();
});

test('a German buyer registers, and has mails and notifications in German until the language is changed', async () => {
  const sale = await openSale({ title: 'Nacht der Lambdas' });
  const page = await (await openContext(undefined, { viewport: phone, locale: 'de-DE' })).newPage();
  const email = freshEmail();
  await page.goto('/register');
  await page.getByLabel('Name').fill('Berta Käufer');
  await page.getByLabel('E-Mail').fill(email);
  await page.getByLabel('Passwort').fill('correct horse battery');
  await page.getByRole('button', { name: 'Registrieren' }).click();
  await awaitMail(email, 'Bestätigen Sie Ihre E-Mail-Adresse');

  const login = await anonymous.post('/api/auth/login', { email, password: 'correct horse battery' });
  const order = await placeOrder(sale, createCaller(login.body.token), { quantity: 2 });
  await payOrder(order);
  await page.goto('/notifications');
  await page.getByRole('heading', { name: 'Kauf erfolgreich' }).waitFor();
  await page.getByText('Sie haben 2 Tickets für Nacht der Lambdas gekauft.').waitFor();
  await expectAccessible(page, 'german-notifications');

  await page.getByRole('button', { name: 'Menü' }).click();
  await page.getByLabel('Sprache').selectOption('English');
  await page.getByText('You bought 2 tickets to Nacht der Lambdas.').waitFor();
  await anonymous.post('/api/auth/forgot-password', { email });
  await awaitMail(email, 'Reset your password');
});
