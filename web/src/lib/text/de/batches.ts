import type * as en from '../en/batches.ts';

export const batches: typeof en.batches = {
  title: 'Listen',
  lead: 'Jede Erzeugung lässt sich Byte für Byte wieder abrufen, bis die Zugangsdaten zurückgesetzt werden.',
  emptyTitle: 'Noch keine Listen',
  emptyLead: 'Was Sie erzeugen, steht hier.',
  except: (countries: string) => `ohne ${countries}`,
  lines: (n: string) => (n === '1' ? '1 Zeile' : `${n} Zeilen`),
  sticky: (minutes: string) => `fest ${minutes}`,
  rotating: 'wechselnd',
  byKey: 'mit einem API-Schlüssel erzeugt',
  outdated: 'Veraltet',
  show: 'Zeilen zeigen',
  makeAddress: 'Abrufadresse anlegen',
  newAddress: 'Adresse ersetzen',
  revoke: 'Adresse zurückziehen',
  hasAddress: (when: string) => `Abrufadresse angelegt ${when}`,
  addressTitle: 'Abrufadresse',
  addressLead:
    'Programme, die sie lesen, bekommen die Zeilen dieser Liste mit ihrem Passwort. Sie wird nur dieses eine Mal gezeigt; Sie können sie jederzeit zurückziehen.',
  addressLabel: 'Adresse',
  addressDone: 'Ich habe sie gesichert',
  revokeTitle: 'Diese Adresse zurückziehen?',
  revokeLead: 'Programme, die sie lesen, bekommen nichts mehr.',
  revoked: 'Die Adresse gilt nicht mehr',
  more: 'Ältere Listen zeigen',
  traffic: 'Verkehr nach Listen ansehen',
};
