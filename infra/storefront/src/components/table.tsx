import type { ComponentChildren } from 'preact';

interface TableProps {
  columns: string[];
  /** The table's name, or the id of the heading that names it. */
  'aria-label'?: string;
  'aria-labelledby'?: string;
  /** A last row with totals. */
  total?: ComponentChildren;
  /** The rows. */
  children: ComponentChildren;
}

/** A table with a header row. It scrolls sideways when the screen is too narrow. */
export function Table({ columns, total, children, ...label }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard could not scroll it
    <section class="scroll" tabIndex={0} {...label}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
        {total && <tfoot>{total}</tfoot>}
      </table>
    </section>
  );
}
