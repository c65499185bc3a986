// The texts of what only the desk of support shows: a part of their own, so that no other page carries them.
import type { Desk } from './dictionary.ts';
import { inLanguage } from './language.ts';

export const deskTexts: Desk = await inLanguage({
  en: async () => (await import('./en/desk-texts.ts')).deskTexts,
  de: async () => (await import('./de/desk-texts.ts')).deskTexts,
});
