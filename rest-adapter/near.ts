// What a name that nobody knows may have been meant to be: by its letters, never by two or three of them.
import { nearMatches } from '../edge/protocol/near-matches.ts';

/** Names of parameters, paths and inputs alike are read without their case, dashes and underscores. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[-_.]/g, '');

/** The one name that was most likely meant; undefined: none is near. */
export function nearName(typed: string, names: readonly string[]): string | undefined {
  const same = names.find((name) => bare(name) === bare(typed));
  return same ?? (bare(typed).length < 4 ? undefined : nearMatches(typed, names)[0]);
}

/** Parameters that were given and are not known, as they are named to who gave them. */
export interface UnknownName {
  name: string;
  meant?: string;
}

/** At most five, each of harmless characters: they stand in a header too. */
export function unknownNames(given: Iterable<string>, known: readonly string[]): UnknownName[] {
  return [...new Set(given)]
    .map((name) => name.replaceAll(/[^\w.-]/g, '?').slice(0, 40))
    .slice(0, 5)
    .map((name) => {
      const meant = nearName(name, known);
      return { name, ...(meant !== undefined && { meant }) };
    });
}

/** `stat (did you mean state?), x`. */
export const sayUnknown = (names: readonly UnknownName[]): string =>
  names.map(({ name, meant }) => (meant === undefined ? name : `${name} (did you mean ${meant}?)`)).join(', ');
