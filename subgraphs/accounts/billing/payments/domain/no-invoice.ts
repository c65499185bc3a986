// What a processor's page and paper say, where a person pays: one supply has one numbered invoice, ours.
import type { Language } from '#platform/language.ts';

/** One sentence: some processors have room for little more. */
export const NO_INVOICE: Readonly<Record<Language, string>> = {
  en: 'This is no invoice: yours is in your account once it is paid.',
  de: 'Dies ist keine Rechnung: Ihre steht in Ihrem Konto, sobald bezahlt ist.',
};
