// A page of the documents as a list of blocks, so that its Markdown and its HTML say the same.
import type { Language } from '#platform/language.ts';
import { escapeHtml } from '#platform/markup.ts';
import { type Trial, trialForm } from './trial.ts';

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: readonly string[] }
  | { kind: 'table'; head: readonly string[]; rows: readonly (readonly string[])[] }
  | { kind: 'code'; language: string; text: string }
  /** A form that makes the call with a key of one's own; Markdown leaves it out. */
  | { kind: 'trial'; trial: Trial };

export interface DocsPage {
  /** Without an ending; the page's Markdown is at the same path with `.md`. */
  path: string;
  title: string;
  /** One sentence, for lists of pages. */
  summary: string;
  /** Of the texts. Absent: English, and there is no other. */
  language?: Language;
  blocks: readonly Block[];
}

/** Text may contain `code` and links such as [a page](/docs/limits); no other Markdown is interpreted. */
export const heading = (text: string): Block => ({ kind: 'heading', text });
export const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
export const list = (...items: string[]): Block => ({ kind: 'list', items });
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): Block => ({ kind: 'table', head, rows });
export const code = (language: string, text: string): Block => ({ kind: 'code', language, text });

export function toMarkdown({ title, summary, blocks }: DocsPage): string {
  return [`# ${title}`, summary, ...blocks.filter(({ kind }) => kind !== 'trial').map(blockToMarkdown)].join('\n\n') + '\n';
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function blockToMarkdown(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `## ${block.text}`;
    case 'paragraph':
      return block.text;
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n');
    case 'table':
      return [row(block.head), row(block.head.map(() => '---')), ...block.rows.map(row)].join('\n');
    case 'code':
      return `\`\`\`${block.language}\n${block.text}\n\`\`\``;
    case 'trial':
      return '';
  }
}

/** Converts `code` and links to paths of our own host. */
export const inline = (text: string): string =>
  escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]+)\]\((\/[^)\s]*)\)/g, '<a href="$2">$1</a>');

/** The id of a heading. */
const anchorOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');

const cells = (tag: 'td' | 'th', texts: readonly string[]): string =>
  `<tr>${texts.map((text) => `<${tag}>${inline(text)}</${tag}>`).join('')}</tr>`;

export function blockToHtml(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h2 id="${anchorOf(block.text)}">${inline(block.text)}</h2>`;
    case 'paragraph':
      return `<p>${inline(block.text)}</p>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`;
    case 'table':
      return `<div class="wide" tabindex="0" role="region" aria-label="${escapeHtml(block.head.join(', '))}"><table><thead>${cells('th', block.head)}</thead><tbody>${block.rows.map((texts) => cells('td', texts)).join('')}</tbody></table></div>`;
    case 'code':
      // What scrolls is reached by keyboard too.
      return `<pre tabindex="0"><code>${escapeHtml(block.text)}</code></pre>`;
    case 'trial':
      return trialForm(block.trial);
  }
}
