// Two things are allowed in no text: U+0000, which PostgreSQL's text cannot hold, and half of a surrogate pair, which is no character and which jsonb refuses.
// Every entry point refuses both before anything else sees them, only by the functions here.
import { type DocumentNode, Kind, visit } from 'graphql';
import { fail } from './errors.ts';

export const isCleanText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Removes U+0000 and replaces lone surrogates by U+FFFD. For texts that others' customers wrote, where a refusal would harm the rest. */
export const cleanText = (text: string): string => (isCleanText(text) ? text : text.replaceAll('\0', '').toWellFormed());

/** Checks every text of a JSON value, names of members too. Throws `parameter_invalid` with the path of the first text that is not clean. */
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

/**
 * The same check for the literals in a GraphQL document: graphql-js refuses lone surrogates there, but accepts U+0000 as an escape. Throws `parameter_invalid`.
 */
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
