// The name that an unknown name was probably meant to be. Very short names get no suggestion.
import { nearMatches } from './near-matches.ts';

/** Names are compared without case, dashes, underscores and dots. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[-_.]/g, '');

/** The most likely name; undefined: none is near. */
export function nearName(typed: string, names: readonly string[]): string | undefined {
  const same = names.find((name) => bare(name) === bare(typed));
  return same ?? (bare(typed).length < 4 ? undefined : nearMatches(typed, names)[0]);
}
