import { type Inputs, useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** A resource and its loading state. */
export type Resource<T> =
  | { state: 'loading' }
  | { state: 'failed'; error: unknown; reload: () => Promise<void> }
  /** With an error, the value is that of an earlier load: the latest one failed. */
  | { state: 'ready'; value: T; error?: unknown; reload: () => Promise<void> };

/**
 * Loads a resource when a component is first shown and whenever one of `inputs` changes. `reload` keeps the current
 * value until a new one arrives. Answers to earlier loads are ignored.
 */
export function useResource<T>(load: () => Promise<T>, inputs: Inputs): Resource<T> {
  const [resource, setResource] = useState<Resource<T>>({ state: 'loading' });
  const latestLoad = useRef(0);
  const reload = useCallback(async () => {
    const thisLoad = ++latestLoad.current;
    const next = await load().then(
      (value): Resource<T> => ({ state: 'ready', value, reload }),
      (error): Resource<T> => ({ state: 'failed', error, reload }),
    );
    if (thisLoad !== latestLoad.current) return;
    setResource((current) =>
      current.state === 'ready' && next.state === 'failed' ? { ...current, error: next.error } : next,
    );
  }, inputs);
  useEffect(() => {
    setResource({ state: 'loading' });
    void reload();
    return () => {
      latestLoad.current++;
    };
  }, [reload]);
  return resource;
}
