// What a request names that nobody knows, as it is said to who sent it.
import { nearName } from '#platform/near-name.ts';

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
