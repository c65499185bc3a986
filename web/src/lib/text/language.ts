// The page's language: the gateway writes it into <html lang> by the reader's choice or browser; a change loads the page anew.
import { LANGUAGES, type Language } from '../../../../schema/languages.ts';

export { LANGUAGES, type Language };

/** English dates are written as in Europe, where the servers stand; sums as in the United States, whose money they are in. */
const locales: Record<Language, { dates: string; numbers: string }> = {
  en: { dates: 'en-GB', numbers: 'en-US' },
  de: { dates: 'de-DE', numbers: 'de-DE' },
};

/** Pages that are drawn before anybody asks for them have no document: who draws them sets `pageLanguage`. */
const wanted = globalThis.document === undefined ? globalThis.pageLanguage : document.documentElement.lang;

export const language: Language = wanted === 'de' ? 'de' : 'en';

/** For every `Intl` format of the dashboard. */
export const { dates: dateLocale, numbers: numberLocale } = locales[language];

/** Keeps the choice for a year in this browser and loads the page anew in it. */
export function chooseLanguage(chosen: Language): void {
  document.cookie = `language=${chosen}; Path=/; Max-Age=31536000; SameSite=Lax`;
  location.reload();
}
