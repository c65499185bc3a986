// Unknown parameters of a request, with the known names that may have been meant.
import { nearName } from '#platform/near-name.ts';

/** A parameter that is not known, and the known name that is nearest to it. */
export interface UnknownName {
  name: string;
  meant?: string;
}

/** At most five names, with all other characters than letters, digits, `.`, `-` and `_` replaced: they are also sent in a header. */
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
