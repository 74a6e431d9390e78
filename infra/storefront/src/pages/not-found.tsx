import { Page } from '../components/page.tsx';

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <h1>Page not found</h1>
      <p>
        There is nothing at this address. <a href="/">See what is on.</a>
      </p>
    </Page>
  );
}
