import { useRef, useState } from 'preact/hooks';

/** A tier or a question in the form. */
export interface Row {
  key: number;
  /** The id of a stored one. */
  id?: string;
  /** Whether it was added by the button, so that its first field takes the focus. */
  isAdded?: boolean;
}

/** The tiers or the questions in the form, in its order. */
export interface Rows {
  rows: Row[];
  add(): void;
  remove(row: Row): void;
  /** Sets the id of one that is stored now. */
  setId(index: number, id: string): void;
}

/** @param ids the ids of those that the form begins with; undefined for new ones */
export function useRows(ids: readonly (string | undefined)[]): Rows {
  const [rows, setRows] = useState<Row[]>(() => ids.map((id, key) => ({ key, id })));
  const nextKey = useRef(rows.length);
  return {
    rows,
    add: () => setRows([...rows, { key: nextKey.current++, isAdded: true }]),
    remove: ({ key }) => setRows(rows.filter((row) => row.key !== key)),
    setId: (changed, id) =>
      setRows((latest) => latest.map((row, index) => (index === changed ? { ...row, id } : row))),
  };
}
