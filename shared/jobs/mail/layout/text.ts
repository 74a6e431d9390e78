import type { Block, Message } from './message.ts';

/** Returns the message as plain text: the content of the HTML, with the links' addresses written out. */
export function toText({ summary, body }: Message): string {
  return `${[summary, ...body.map(blockText)].join('\n\n')}\n`;
}

function blockText(block: Block): string {
  if ('paragraph' in block) return block.paragraph;
  if ('facts' in block) return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  if ('button' in block) return `${block.button}:\n${block.url}`;
  const { title, detail, code } = block.ticket;
  return `${title} (${detail})\nCheck-in code: ${code}`;
}
