/** The shop's name, which leads to its first page. */
export function Brand() {
  return (
    <a class="brand" href="/">
      Boxoffice
    </a>
  );
}

/** The bar on top of the page until it is known who uses it. */
export function BareHeader() {
  return (
    <header>
      <Brand />
    </header>
  );
}
