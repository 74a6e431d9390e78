import { useEffect, useState } from 'preact/hooks';

/**
 * Returns the token of a mail's link; empty without one. Removes the token from the page's address, and so from the
 * browser's history.
 */
export function useLinkToken(): string {
  const [token] = useState(() => new URLSearchParams(location.search).get('token') ?? '');
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return token;
}
