// What somebody has typed into a search.

/** Longer searches are cut. */
const WORDS_MAX = 100;

/** Without spaces around it; undefined: nothing is searched for. */
export const searchWords = (typed: string | null | undefined): string | undefined => typed?.trim().slice(0, WORDS_MAX) || undefined;

/** A pattern of LIKE and ILIKE for what has these words in it. */
export const containing = (words: string): string => `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
