// The texts of what only the pages of servers show: a part of their own, so that no other page carries them.
import type { Servers } from './dictionary.ts';
import { inLanguage } from './language.ts';

export const serverTexts: Servers = await inLanguage({
  en: async () => (await import('./en/servers-texts.ts')).serverTexts,
  de: async () => (await import('./de/servers-texts.ts')).serverTexts,
});
