import type { usageHosts as English } from '../en/usage-hosts.ts';

export const usageHosts: typeof English = {
  title: 'Ziele',
  lead: 'Wie die Ziele Ihrer Residential-Proxys mit dem gezählten Verbrauch aufbewahrt werden, bei allen Paketen. Der Verbrauch zählt in jedem Fall.',
  field: 'Aufbewahrt',
  kinds: { PLAIN: 'Lesbar', HASHED: 'Als Hash', OFF: 'Gar nicht' },
  leads: {
    PLAIN: 'Sie sehen nach Zielen, wofür Ihre Daten verbraucht wurden.',
    HASHED: 'Ziele lassen sich unterscheiden, aber nicht lesen: weder von Ihnen noch von uns.',
    OFF: 'Von Zielen wird nichts aufbewahrt, und es gibt keinen Verbrauch nach Zielen.',
  },
  fromNowOn:
    'Gilt von jetzt an. Was schon gezählt ist, bleibt, wie es aufbewahrt wurde. Das Anfragenprotokoll eines Pakets wählen Sie für sich.',
  chosen: (at) => `Gewählt am ${at}.`,
  operators: 'Offener bewahrt die Plattform keine Ziele auf.',
  saved: 'Geändert. Es gilt ab der nächsten gezählten Zeile.',
};
