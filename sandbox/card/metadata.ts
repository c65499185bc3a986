// Text by name that the shop keeps with an object.

/** The metadata after a change: an empty value takes its name away, null takes all away. */
export function mergeMetadata(before: Record<string, string>, changes: Record<string, string> | null): Record<string, string> {
  if (changes === null) return {};
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ''));
}
