/** Every language that pages, mails, documents and the sentences of codes are complete in, by its own name. English is the model of all texts. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

/** Its code of BCP 47; in the SDL in capitals. */
export type Language = keyof typeof LANGUAGES;

/** The cookie by which a reader's choice is kept for a year; `languageOf` of the platform reads it. */
export const languageCookie = (language: Language): string => `language=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
