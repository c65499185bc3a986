// What no text may have: U+0000, which PostgreSQL's text cannot hold, and half of a surrogate pair, which is no character and which its jsonb refuses. It is
// refused at every door before anything else sees it, by the functions here and nowhere else.
import { type DocumentNode, Kind, visit } from 'graphql';
import { fail } from './errors.ts';

export const isCleanText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** For texts of others' customers, where refusing would harm the rest: without the one, and with U+FFFD instead of the other. */
export const cleanText = (text: string): string => (isCleanText(text) ? text : text.replaceAll('\0', '').toWellFormed());

/** Looks at every text of a JSON value, names of members among them. Throws `parameter_invalid` with the path of the first that is not clean. */
export function requireCleanText(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (!isCleanText(value)) throw unclean(path);
  } else if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) requireCleanText(each, within(path, String(index)));
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      if (!isCleanText(name)) throw unclean(path);
      requireCleanText(each, within(path, name));
    }
  }
}

/** The same for what is written into a document: graphql-js refuses lone surrogates there, and takes U+0000 as an escape. Throws `parameter_invalid`. */
export function requireCleanLiterals(document: DocumentNode): void {
  visit(document, {
    [Kind.STRING]({ value }) {
      if (!isCleanText(value)) throw unclean('');
    },
  });
}

const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const unclean = (path: string) =>
  fail(
    'parameter_invalid',
    path === '' ? {} : { field: path },
    `${path === '' ? 'A text' : cleanText(path)} has a character that no text may have: U+0000, or half of a surrogate pair.`,
  );
