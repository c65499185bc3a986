import type * as en from '../en/incidents.ts';

export const incidents: typeof en.incidents = {
  title: 'Störungen',
  lead: 'Was alle auf der Statusseite lesen. Wo das Deutsche leer ist, steht dort Englisch.',
  page: 'Statusseite',
  tabs: { open: 'Dauern an', over: 'Vorbei' },
  none: 'Nichts wird berichtet',
  noneLead: 'Die Statusseite zeigt, was gemessen wird.',
  report: 'Störung melden',
  plan: 'Wartung planen',
  published: 'Es steht auf der Statusseite',
  components: 'Betroffen',
  impact: 'Gezeigt als',
  name: 'Titel',
  text: 'Was wir sagen',
  inGerman: 'auf Deutsch',
  optional: 'freiwillig',
  begins: 'Beginn (Ihre Zeitzone)',
  ends: 'Ende (Ihre Zeitzone)',
  update: 'Fortführen',
  step: 'Wie es steht',
  updateLead: '„Behoben“ beendet sie.',
};
