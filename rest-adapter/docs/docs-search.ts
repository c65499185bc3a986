// Finds pages that have all the words that are asked for: the title counts most, then the summary, then the rest.
import { type DocsPage, toMarkdown } from './page.ts';

export interface Hit {
  page: DocsPage;
  /** Where the first of the words stands, with what is around it. */
  excerpt: string;
}

const WANTED_MAX = 100;
const AROUND = 80;

interface Indexed {
  page: DocsPage;
  title: string;
  summary: string;
  /** The whole page as text. */
  text: string;
  lower: string;
}

const flat = (markdown: string): string => markdown.replaceAll(/^#+ |^- |[`|]|\]\([^)]*\)|\[|---/gm, ' ').replaceAll(/\s+/g, ' ');

export type Search = (wanted: string) => Hit[];

/** What is asked for, as it is searched. */
export const wordsOf = (wanted: string): string[] =>
  wanted
    .slice(0, WANTED_MAX)
    .toLowerCase()
    .split(/[^\p{L}\p{N}_.-]+/u)
    .filter(Boolean);

export function searchIn(pages: readonly DocsPage[]): Search {
  const index = pages.map((page): Indexed => {
    const text = flat(toMarkdown(page));
    return { page, title: page.title.toLowerCase(), summary: page.summary.toLowerCase(), text, lower: text.toLowerCase() };
  });
  return (wanted) => {
    const words = wordsOf(wanted);
    if (words.length === 0) return [];
    return index
      .filter(({ lower }) => words.every((word) => lower.includes(word)))
      .map((entry) => ({ entry, weight: weightOf(entry, words) }))
      .toSorted((one, other) => other.weight - one.weight)
      .map(({ entry }) => ({ page: entry.page, excerpt: excerptOf(entry, words) }));
  };
}

const weightOf = ({ title, summary, lower }: Indexed, words: readonly string[]): number =>
  words.reduce((sum, word) => {
    const often = Math.min(lower.split(word).length - 1, 5);
    return sum + (title === word ? 100 : title.includes(word) ? 40 : 0) + (summary.includes(word) ? 10 : 0) + often;
  }, 0);

function excerptOf({ text, lower, page }: Indexed, words: readonly string[]): string {
  // Title and summary stand beside the excerpt.
  const from = page.title.length + page.summary.length + 2;
  const at = Math.min(...words.map((word) => lower.indexOf(word, from)).filter((found) => found >= 0));
  if (!Number.isFinite(at)) return '';
  const before = text.slice(Math.max(from, at - AROUND), at);
  const after = text.slice(at, at + AROUND);
  const isWhole = at - AROUND <= from;
  const isEnd = at + AROUND >= text.length;
  // Whole words: what is cut off at either end is left out.
  return `${isWhole ? before : before.replace(/^\S*\s/, '…')}${isEnd ? after : after.replace(/\s\S*$/, '…')}`.trim();
}
