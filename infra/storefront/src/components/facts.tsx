import type { ComponentChildren } from 'preact';

/** A name and its value, as an entry of a `<dl class="facts">`. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
