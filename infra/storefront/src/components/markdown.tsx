import type { ComponentChild } from 'preact';

/**
 * Shows a text with a part of Markdown: paragraphs, headings, lists, quotes, bold, italic and links. It creates elements,
 * and no HTML, so a text can contain no script: whatever is not such a part is shown as it is.
 */
export function Markdown({ text }: { text: string }) {
  const blocks = text.replaceAll('\r\n', '\n').split(/\n{2,}/);
  return <div class="prose">{blocks.flatMap((block, index) => toBlocks(block.split('\n'), `${index}`))}</div>;
}

/** The kinds of blocks that begin with a mark in each of their lines. */
const listKinds = [
  { mark: /^\s*[-*+] +/, tag: 'ul' },
  { mark: /^\s*\d{1,9}[.)] +/, tag: 'ol' },
] as const;

/** Consecutive lines of one kind become one element. */
function toBlocks(lines: string[], key: string): ComponentChild[] {
  const [first = ''] = lines;
  if (lines.length === 0) return [];
  const heading = /^#{1,6} +(.+)/.exec(first)?.[1];
  if (heading) return [<h2 key={key}>{toInline(heading)}</h2>, ...toBlocks(lines.slice(1), `${key}.`)];
  const kindOf = (line: string) => listKinds.find(({ mark }) => mark.test(line));
  const kind = kindOf(first);
  const isOfBlock = (line: string) =>
    kindOf(line) === kind && !/^#{1,6} +./.test(line) && isQuote(line) === isQuote(first);
  const end = lines.findIndex((line, index) => index > 0 && !isOfBlock(line));
  const own = end < 0 ? lines : lines.slice(0, end);
  const rest = end < 0 ? [] : toBlocks(lines.slice(end), `${key}.`);
  if (kind) {
    const { tag: List, mark } = kind;
    return [
      <List key={key}>
        {own.map((line, index) => (
          <li key={index}>{toInline(line.replace(mark, ''))}</li>
        ))}
      </List>,
      ...rest,
    ];
  }
  if (isQuote(first)) {
    const quoted = own.map((line) => line.replace(/^> ?/, ''));
    return [<blockquote key={key}>{toInline(quoted.join('\n'))}</blockquote>, ...rest];
  }
  return [<p key={key}>{toInline(own.join('\n'))}</p>, ...rest];
}

const isQuote = (line: string) => line.startsWith('>');

/** Bold, italic, a link with a text, or an address. */
const inline =
  /\*\*(?<bold>[^*\n]+)\*\*|\*(?<italic>[^*\s][^*\n]*)\*|\[(?<text>[^[\]\n]+)\]\((?<link>[^\s()]+)\)|(?<address>https?:\/\/[^\s<>()]*[^\s<>().,;:!?])/g;

function toInline(text: string): ComponentChild[] {
  const children: ComponentChild[] = [];
  let position = 0;
  for (const match of text.matchAll(inline)) {
    children.push(text.slice(position, match.index), toElement(match));
    position = match.index + match[0].length;
  }
  return [...children, text.slice(position)];
}

function toElement({ 0: source, index, groups: found = {} }: RegExpMatchArray): ComponentChild {
  if (found.bold) return <strong key={index}>{found.bold}</strong>;
  if (found.italic) return <em key={index}>{found.italic}</em>;
  const address = found.link ?? found.address ?? '';
  if (!isSafeLink(address)) return source;
  return (
    <a key={index} href={address} target="_blank" rel="noreferrer nofollow ugc">
      {found.text ?? address}
    </a>
  );
}

/** Only web pages and mail addresses: the browser would run `javascript:`. */
export function isSafeLink(address: string): boolean {
  return ['https:', 'http:', 'mailto:'].includes(URL.parse(address)?.protocol ?? '');
}
