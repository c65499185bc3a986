// What a name that nobody knows may have been meant to be: by its letters, never by two or three of them.
import { nearMatches } from './near-matches.ts';

/** Names of parameters, paths, inputs and places alike are read without their case, dashes and underscores. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[-_.]/g, '');

/** The one name that was most likely meant; undefined: none is near. */
export function nearName(typed: string, names: readonly string[]): string | undefined {
  const same = names.find((name) => bare(name) === bare(typed));
  return same ?? (bare(typed).length < 4 ? undefined : nearMatches(typed, names)[0]);
}
