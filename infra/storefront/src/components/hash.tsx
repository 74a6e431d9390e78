import { explorerLink, shorten } from '../chain.ts';
import { CopyButton } from './copy-button.tsx';

interface HashProps {
  /** What the value is, such as "transaction". */
  name: string;
  value: string;
  chainId?: number;
  /** The path of the value's page in a block explorer. */
  path?: `${'tx' | 'address' | 'nft'}/${string}`;
}

/**
 * A transaction's hash, an address or a token id: shortened, linked to the block explorer, with a button that copies
 * all of it.
 */
export function Hash({ name, value, chainId, path }: HashProps) {
  const link = chainId !== undefined && path && explorerLink(chainId, path);
  const text = (
    <code title={value} class="hash">
      {shorten(value)}
    </code>
  );
  return (
    <span class="copyable">
      {link ? (
        <a href={link} target="_blank" rel="noreferrer">
          {text}
        </a>
      ) : (
        text
      )}
      <CopyButton name={name} text={value} />
    </span>
  );
}
