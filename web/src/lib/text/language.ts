// The page's language. The gateway writes it into <html lang>, from the reader's choice or browser; a change reloads the page.
import { LANGUAGES, type Language, languageCookie } from '../../../../schema/languages.ts';

export { LANGUAGES, type Language };

/** English dates are formatted as in Europe, where the servers are; amounts as in the United States, since they are in dollars. */
const locales: Record<Language, { dates: string; numbers: string }> = {
  en: { dates: 'en-GB', numbers: 'en-US' },
  de: { dates: 'de-DE', numbers: 'de-DE' },
};

/** Pages that are drawn on the server have no document: the thread that draws them sets `pageLanguage`. */
const wanted = globalThis.document === undefined ? globalThis.pageLanguage : document.documentElement.lang;

export const language: Language = wanted === 'de' ? 'de' : 'en';

/** Locales for all `Intl` formats of the dashboard. */
export const { dates: dateLocale, numbers: numberLocale } = locales[language];

/** Stores the choice in a cookie for a year and reloads the page. */
export function chooseLanguage(chosen: Language): void {
  document.cookie = languageCookie(chosen);
  location.reload();
}
