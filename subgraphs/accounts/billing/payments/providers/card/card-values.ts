// How the card processor writes what we read of it in several places.

export const toSeconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** A thing is its id, or itself where it was expanded. */
export const idOf = (value: string | { id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id;
