import { useEffect, useState } from 'preact/hooks';

/** The token of a link in a mail; empty without one. It is removed from the address, and so from the history. */
export function useLinkToken(): string {
  const [token] = useState(() => new URLSearchParams(location.search).get('token') ?? '');
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return token;
}
