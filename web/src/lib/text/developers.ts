// The texts of what only the page for developers shows: a part of their own, so that no other page carries them.
import type { Dictionary } from './dictionary.ts';
import { inLanguage } from './language.ts';

export const developersTexts: Dictionary['developers'] = await inLanguage({
  en: async () => (await import('./en/developers.ts')).developers,
  de: async () => (await import('./de/developers.ts')).developers,
});
