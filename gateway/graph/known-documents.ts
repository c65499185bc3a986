// The documents of the dashboard, as its build has listed them. In production a caller without a key may ask only these.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { stripIgnoredCharacters } from 'graphql';
import { fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import { Lru } from '#platform/lru.ts';
import { LIMITS } from './limits.ts';

/** Throws `document_not_known` for a document that this caller may not ask. */
export type RequireKnown = (viewer: Viewer, text: string) => void;

/** Characters of known documents that are cached, so that each is parsed and hashed once. */
const REMEMBERED_CHARACTERS = 262_144;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The hash of a document without its white space and comments; undefined for a text that cannot be parsed. */
function documentHash(text: string): string | undefined {
  try {
    return hashOf(stripIgnoredCharacters(text));
  } catch {
    return undefined;
  }
}

/** `documents`: the dashboard's operations. A key may ask any document. */
export function createRequireKnown(documents: Iterable<string>): RequireKnown {
  const known = new Set([...documents].map(documentHash));
  const remembered = new Lru<boolean>(REMEMBERED_CHARACTERS, (text) => text.length);
  return ({ kind }, text) => {
    if (kind === 'key') return;
    if (text.length > LIMITS.characters) throw fail('document_not_known');
    let isKnown = remembered.get(text);
    if (isKnown === undefined) {
      isKnown = known.has(documentHash(text));
      // Unknown documents are not cached: a stranger could displace the known ones with them.
      if (isKnown) remembered.set(text, isKnown);
    }
    if (!isKnown) throw fail('document_not_known');
  };
}

/** Every caller may ask any document. */
export const anyDocument: RequireKnown = () => {};

/** The list that the dashboard's build has written; undefined where the dashboard is not built. */
export function readDocuments(file: string): string[] | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : undefined;
}
