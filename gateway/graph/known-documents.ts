// The documents of the dashboard, as its build has listed them: in production whoever comes without a key may ask these alone.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { stripIgnoredCharacters } from 'graphql';
import { fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import { Lru } from '#platform/lru.ts';
import { LIMITS } from './limits.ts';

/** Throws `document_not_known` for a text that this caller may not ask. */
export type RequireKnown = (viewer: Viewer, text: string) => void;

/** Characters of texts that were looked at, so that a document is read once. */
const REMEMBERED_CHARACTERS = 262_144;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The hash of a document whatever its spaces and comments; undefined: it is none. */
function documentHash(text: string): string | undefined {
  try {
    return hashOf(stripIgnoredCharacters(text));
  } catch {
    return undefined;
  }
}

/** `documents`: texts of the dashboard's operations. Keys ask what they like. */
export function createRequireKnown(documents: Iterable<string>): RequireKnown {
  const known = new Set([...documents].map(documentHash));
  const remembered = new Lru<boolean>(REMEMBERED_CHARACTERS, (text) => text.length);
  return ({ kind }, text) => {
    if (kind === 'key') return;
    if (text.length > LIMITS.characters) throw fail('document_not_known');
    let isKnown = remembered.get(text);
    if (isKnown === undefined) {
      isKnown = known.has(documentHash(text));
      // What strangers make up is not kept: it would displace what is asked every day.
      if (isKnown) remembered.set(text, isKnown);
    }
    if (!isKnown) throw fail('document_not_known');
  };
}

/** Everybody may ask what they like. */
export const anyDocument: RequireKnown = () => {};

/** What the build of the dashboard has left; undefined where it is not built. */
export function readDocuments(file: string): string[] | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : undefined;
}
