// What a processor's payment page and receipt say: one supply has one numbered invoice, which is ours.
import type { Language } from '#platform/language.ts';

/** A single sentence, since some processors have little room for text. */
export const NO_INVOICE: Readonly<Record<Language, string>> = {
  en: 'This is no invoice: yours is in your account once it is paid.',
  de: 'Dies ist keine Rechnung: Ihre steht in Ihrem Konto, sobald bezahlt ist.',
};
