import { defaults } from 'boxoffice-client';
import { render } from 'preact';
import { App } from './app.tsx';
import { Failure } from './components/resource.tsx';
import { loadConfig } from './config.ts';
import { fetchAsUser } from './session/session.ts';

// The Back button may bring a page as it was left: in the middle of a purchase, or before signing out.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

try {
  const { apiUrl } = await loadConfig();
  // The refresh cookie goes along also when the API is on another port or subdomain.
  Object.assign(defaults, { baseUrl: apiUrl || '/', credentials: 'include', fetch: fetchAsUser });
  render(<App />, document.body);
} catch (error) {
  render(
    <main>
      <Failure error={error} onRetry={() => location.reload()} />
    </main>,
    document.body,
  );
}
