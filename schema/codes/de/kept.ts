// The German of what is kept of an account that is closed.
import type { KeptTexts } from '../kept.ts';

export const KEPT_DE: KeptTexts = {
  BOOKS: { what: 'Bestellungen, Zahlungen und Rechnungen', why: 'Bücher müssen zehn Jahre aufbewahrt werden' },
  TAX_EVIDENCE: {
    what: 'Woher versteuerte Bestellungen kamen',
    why: 'das Steuerrecht verlangt es zehn Jahre nach dem Jahr des Verkaufs',
  },
  ACTIVITY: { what: 'Die Aktivität des Kontos', why: 'um Missbrauch und Streitfälle zu klären' },
  MAILS: { what: 'Dass E-Mails gesendet wurden, ohne ihren Inhalt', why: 'um Beschwerden zu klären' },
};
