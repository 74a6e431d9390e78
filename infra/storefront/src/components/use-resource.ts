import { type Inputs, useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** A resource and its loading state. */
export type Resource<T> =
  | { state: 'loading' }
  | { state: 'failed'; error: unknown; reload: () => Promise<void> }
  | { state: 'ready'; value: T; reload: () => Promise<void> };

/**
 * Loads something when a component is first shown and whenever one of `inputs` has changed. `reload` loads it again
 * while the old value stays, also when that fails; only the newest answer counts.
 */
export function useResource<T>(load: () => Promise<T>, inputs: Inputs): Resource<T> {
  const [resource, setResource] = useState<Resource<T>>({ state: 'loading' });
  const newest = useRef(0);
  const reload = useCallback(async () => {
    const number = ++newest.current;
    const next = await load().then(
      (value): Resource<T> => ({ state: 'ready', value, reload }),
      (error): Resource<T> => ({ state: 'failed', error, reload }),
    );
    if (number !== newest.current) return;
    setResource((old) => (old.state === 'ready' && next.state === 'failed' ? old : next));
  }, inputs);
  useEffect(() => {
    setResource({ state: 'loading' });
    void reload();
    return () => {
      newest.current++;
    };
  }, [reload]);
  return resource;
}
