import type * as en from '../en/status.ts';
import { STATUS_DAYS } from '../../../../../schema/limits.ts';
export * from './status-words.ts';

export const status: typeof en.status = {
  title: 'Status',
  lead: 'Rund um die Uhr von der Plattform selbst gemessen. Tage in UTC.',
  overall: {
    OPERATIONAL: 'Alles funktioniert',
    DEGRADED: 'Manches funktioniert nicht, wie es soll',
    DOWN: 'Ein Teil ist ausgefallen',
  },
  measured: (at) => `Gemessen ${at}`,
  unmeasured: 'Noch ist nichts gemessen.',
  uptime: (percent) => `${percent} in ${STATUS_DAYS} Tagen`,
  noData: 'keine Daten',
  day: (on, what) => `${on}: ${what}`,
  dayFine: 'kein Ausfall',
  dayMinutes: (down, degraded) => `${down} min ausgefallen, ${degraded} min eingeschränkt`,
  history: `Verlauf über ${STATUS_DAYS} Tage, vom ältesten bis heute`,
  incidents: 'Störungen und Wartungen',
  none: `In den letzten ${STATUS_DAYS} Tagen gab es nichts zu sagen.`,
  feed: 'Abonnieren (RSS)',
  failed: 'Der Status ist gerade nicht lesbar. Es wird weiter versucht.',
};
