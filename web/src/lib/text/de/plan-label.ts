import type * as en from '../en/plan-label.ts';

export const planLabel: typeof en.planLabel = {
  title: 'Name und Notiz',
  lead: 'Nur Sie sehen sie: in der Liste, in der Suche und auf der Startseite.',
  name: 'Name',
  note: 'Notiz',
  colour: 'Farbe',
  colours: { NONE: 'Keine', GREEN: 'Grün', BLUE: 'Blau', VIOLET: 'Violett', PINK: 'Rosa', AMBER: 'Bernstein', GREY: 'Grau' },
  save: 'Speichern',
  saved: 'Gespeichert',
};
