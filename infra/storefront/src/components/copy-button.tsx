import { useEffect, useState } from 'preact/hooks';

/** A button that copies a text to the clipboard, and confirms it for two seconds. */
export function CopyButton({ name, text }: { name: string; text: string }) {
  const [message, setMessage] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setMessage(''), 2_000);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = async () => {
    try {
      // Browsers define `clipboard` only over HTTPS and on localhost.
      await navigator.clipboard.writeText(text);
      setMessage('Copied');
    } catch {
      setMessage('Please copy it by hand');
    }
  };
  return (
    <>
      <button type="button" class="small" aria-label={`Copy the ${name}`} onClick={copy}>
        Copy
      </button>{' '}
      <small class="quiet" role="status">
        {message}
      </small>
    </>
  );
}
