// Metadata: texts by name that the shop stores with an object.

/** The metadata after a change: an empty value removes its name, null removes all. */
export function mergeMetadata(before: Record<string, string>, changes: Record<string, string> | null): Record<string, string> {
  if (changes === null) return {};
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ''));
}
