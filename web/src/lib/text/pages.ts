// The texts of what only the public pages show: a part of their own, so that no other page carries them.
import type { Pages } from './dictionary.ts';
import { inLanguage } from './language.ts';

export const pageTexts: Pages = await inLanguage({
  en: async () => (await import('./en/pages-texts.ts')).pageTexts,
  de: async () => (await import('./de/pages-texts.ts')).pageTexts,
});
