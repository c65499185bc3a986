// The texts of the dashboard that more than one area shows, in the page's language alone.
import type { Common } from './dictionary.ts';
import { inLanguage } from './language.ts';

// Awaited here, so that whatever reads a text is evaluated only when the texts are there.
export const t: Common = await inLanguage({
  en: async () => (await import('./en/index.ts')).en,
  de: async () => (await import('./de/index.ts')).de,
});
