import type * as en from '../en/legal-desk.ts';

export const legalDesk: typeof en.legalDesk = {
  title: 'Rechtstexte',
  lead: 'Jede Fassung bleibt für immer. Kunden stimmen AGB und Datenschutz bei der Registrierung zu, und wieder, sobald eine neue Fassung gilt.',
  publish: 'Fassung veröffentlichen',
  published: 'Die Fassung ist veröffentlicht',
  kind: 'Welcher Text',
  en: 'Englisch',
  de: 'Deutsch',
  textHint: 'Leerzeilen trennen Absätze, „# “ beginnt eine Überschrift, „- “ einen Punkt einer Liste.',
  note: 'Was anders ist, für Mitarbeiter',
  from: 'Ab (Ihre Zeitzone)',
  optional: 'freiwillig',
  preview: 'So liest er sich',
  none: 'Nichts ist veröffentlicht',
  noneLead: 'Niemand muss etwas zustimmen, und in den Fußzeilen steht kein Link.',
  holds: 'Gilt',
  planned: 'Geplant',
  before: 'Früher',
};
