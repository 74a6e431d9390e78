/** The shop's name, as a link to the home page. */
export function Brand() {
  return (
    <a class="brand" href="/">
      Boxoffice
    </a>
  );
}

/** The header while the session is loading. */
export function BareHeader() {
  return (
    <header>
      <Brand />
    </header>
  );
}
