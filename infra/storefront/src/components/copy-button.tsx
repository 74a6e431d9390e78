import { useEffect, useState } from 'preact/hooks';

/** Copies a text to the clipboard, and says so for two seconds. */
export function CopyButton({ name, text }: { name: string; text: string }) {
  const [said, say] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => say(''), 2_000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Please copy it by hand'),
    );
  return (
    <>
      <button type="button" class="small" aria-label={`Copy the ${name}`} onClick={copy}>
        Copy
      </button>{' '}
      <small class="quiet" role="status">
        {said}
      </small>
    </>
  );
}
