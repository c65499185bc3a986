import type { networks as English } from '../en/networks.ts';

export const networks: typeof English = {
  title: 'Anmeldung über die Adresse',
  lead: 'Werkzeuge, die von diesen Adressen kommen, brauchen weder Benutzernamen noch Passwort, über HTTP und SOCKS5. Alles, was sie verbrauchen, zählt zu diesem Paket. Wer eine entfernt, beendet, was sie offen hat.',
  none: 'Keine Adresse ist ohne Passwort zugelassen.',
  network: 'Adresse oder Netz',
  networkHint: '203.0.113.7, 203.0.113.0/24 oder 2001:db8::/64; eines, das nur Sie benutzen.',
  add: 'Zulassen',
  added: 'Zugelassen',
  remove: 'Entfernen',
  removeLabel: (network: string) => `${network} entfernen`,
  removed: 'Entfernt',
  used: (ago: string) => `zuletzt benutzt ${ago}`,
  unused: 'noch nicht benutzt',
  both: 'Passwort und Adresse',
  bothLead:
    'Zeilen arbeiten nur von diesen Adressen und nur mit ihrem Passwort: Eine Zeile, die in fremde Hände kommt, nützt anderswo nichts.',
  saved: 'Gespeichert',
  ofStatic: {
    lead: 'Werkzeuge, die von diesen Adressen kommen, brauchen weder Benutzernamen noch Passwort, über HTTP und SOCKS5: Welchen Proxy sie anwählen, sagt, von wo sie hinausgehen. Wer eine entfernt, beendet, was sie offen hat.',
    networkHint: '203.0.113.7, 203.0.113.0/24 oder 2001:db8::/64.',
    where: 'Darf benutzen',
    all: 'Alle Adressen des Pakets',
    note: 'Notiz',
    bothLead:
      'Zeilen arbeiten nur von diesen Adressen und von den erlaubten Clients, und nur mit ihrem Passwort: Eine Zeile, die in fremde Hände kommt, nützt anderswo nichts.',
  },
};
