import { explorerLink, shorten } from '../chain.ts';
import { CopyButton } from './copy-button.tsx';

interface HashProps {
  /** The kind of hash, such as "transaction". */
  name: string;
  value: string;
  chainId?: number;
  /** Where a block explorer shows it. */
  path?: `${'tx' | 'address' | 'nft'}/${string}`;
}

/** A long value of a chain: shortened, with a link to the block explorer where there is one, and whole to copy. */
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
