import { defaults } from 'boxoffice-client';
import { render } from 'preact';
import { App } from './app.tsx';
import { brandShop } from './components/page.tsx';
import { Failure } from './components/resource.tsx';
import { loadConfig } from './config.ts';
import { fetchAsUser } from './session/session.ts';
import { language, loadTexts } from './texts/texts.ts';
import { keepTranslatedPagesCurrent } from './translation.ts';

// The Back button may restore an earlier page without loading it, such as one from before signing out.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

keepTranslatedPagesCurrent();
document.documentElement.lang = language;

const texts = loadTexts('shop');

try {
  const [{ apiUrl }] = await Promise.all([loadConfig(), texts]);
  brandShop();
  // `include` sends the refresh cookie to an API on another port or subdomain too.
  Object.assign(defaults, { baseUrl: apiUrl || '/', credentials: 'include', fetch: fetchAsUser });
  render(<App />, document.body);
} catch (error) {
  await texts;
  render(
    <main>
      <Failure error={error} onRetry={() => location.reload()} />
    </main>,
    document.body,
  );
}
