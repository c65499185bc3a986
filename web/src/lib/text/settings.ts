// The texts of what only the settings shows: a part of their own, so that no other page carries them.
import type { Dictionary } from './dictionary.ts';
import { inLanguage } from './language.ts';

export const settingsTexts: Dictionary['settings'] = await inLanguage({
  en: async () => (await import('./en/settings.ts')).settings,
  de: async () => (await import('./de/settings.ts')).settings,
});
