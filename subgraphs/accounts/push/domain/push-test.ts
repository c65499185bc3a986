// The message by which somebody sees that a browser shows notifications.
import type { Language } from '#platform/language.ts';

/** The kind of that message; all others are kinds of mail. */
export const TEST_KIND = 'push_test';

const TEXTS: Readonly<Record<Language, (brand: string) => { subject: string; text: string }>> = {
  en: (brand) => ({ subject: `${brand}: a test`, text: 'This browser shows your notifications.' }),
  de: (brand) => ({ subject: `${brand}: ein Test`, text: 'Dieser Browser zeigt Ihre Benachrichtigungen.' }),
};

export const testText = (language: Language, brand: string) => TEXTS[language](brand);
