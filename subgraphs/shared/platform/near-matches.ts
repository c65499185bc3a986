// Suggestions for a mistyped name: names that begin with or contain the input, and names a few letters away.
import { toSlug } from './slug.ts';

const MAX_MATCHES = 5;

/** Up to five of the names, best first. */
export function nearMatches(typed: string, names: readonly string[]): string[] {
  const wanted = toSlug(typed);
  // Two letters fit Ukraine as well as the United Kingdom: a guess would mislead.
  if (wanted.length < 3) return [];
  const tolerance = wanted.length < 4 ? 0 : Math.floor(wanted.length / 3);
  return names
    .map((name) => ({ name, score: score(wanted, toSlug(name), tolerance) }))
    .filter(({ score: value }) => value !== undefined)
    .sort((a, b) => (a.score ?? 0) - (b.score ?? 0) || a.name.localeCompare(b.name, 'en'))
    .slice(0, MAX_MATCHES)
    .map(({ name }) => name);
}

/** Lower is nearer; undefined is too far. */
function score(wanted: string, candidate: string, tolerance: number): number | undefined {
  if (candidate.startsWith(wanted)) return 0.25;
  const distance = editDistance(wanted, candidate, tolerance);
  if (distance !== undefined) return distance;
  // Three letters are contained in too many names to mean anything.
  if (wanted.length >= 4 && candidate.includes(wanted)) return tolerance + 1;
  return undefined;
}

/** The number of insertions, deletions, replacements and swaps of neighbours between two texts; undefined above `limit`. */
function editDistance(from: string, to: string, limit: number): number | undefined {
  if (Math.abs(from.length - to.length) > limit) return undefined;
  let before: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  const distance = previous[to.length] ?? Infinity;
  return distance <= limit ? distance : undefined;
}
