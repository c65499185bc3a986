import type * as en from '../en/usage-of-plans.ts';

export * from './residential-usage.ts';

export const usageOfPlans: typeof en.usageOfPlans = {
  title: 'Verbrauch aller Pakete',
  pageLead: 'Was alle Pakete zusammen verbraucht haben, neben ebenso vielen Tagen davor.',
  span: 'Zeitraum',
  from: 'Von (UTC-Tag)',
  to: 'Bis',
  apply: 'Zeigen',
  faults: {
    missing: 'Wählen Sie einen ersten und einen letzten Tag.',
    reversed: 'Der letzte Tag liegt nicht vor dem ersten.',
    long: 'Höchstens 366 Tage lassen sich zusammen ansehen.',
  },
  byDay: 'Nach Tagen',
  byHour: 'Nach Stunden',
  lead: 'UTC, Upload und Download zusammen.',
  total: 'Verbraucht',
  before: 'Tage davor',
  perDay: 'Je Tag',
  plans: 'Pakete',
  chart: 'Balkendiagramm der Gigabyte, die alle Pakete verbraucht haben; die Tabelle darunter hat dieselben Zahlen.',
  chartHint: 'Die gestrichelte Linie ist der Verbrauch ebenso vieler Tage davor. Ziehen Sie über Balken, um nur diese Tage zu sehen.',
  table: 'Tabelle des Verbrauchs aller Pakete',
  breakdownLead: 'Die größten zuerst; alle Zeilen zusammen sind die Bytes dieser Tage.',
  marks: (count: number) => (count === 1 ? '1 Änderung an Paketen in diesen Tagen' : `${count} Änderungen an Paketen in diesen Tagen`),
  mark: {
    CREATED: (plan: string, bytes: string | null) => `${plan}: gekauft${bytes === null ? '' : `, ${bytes}`}`,
    TOPPED_UP: (plan: string, bytes: string | null) => `${plan}: ${bytes ?? 'Daten'} hinzugefügt`,
    WITHDRAWN: (plan: string, bytes: string | null) => `${plan}: ${bytes ?? 'der Rest'} zurückgenommen`,
    LAPSED: (plan: string, bytes: string | null) => `${plan}: ${bytes ?? 'der Rest'} verfallen`,
    LIMITED: (plan: string, bytes: string | null) => (bytes === null ? `${plan}: Tageslimit entfernt` : `${plan}: Tageslimit ${bytes}`),
    PAUSED: (plan: string, _bytes: string | null) => `${plan}: Tageslimit erreicht`,
    RESET: (plan: string, _bytes: string | null) => `${plan}: Zugangsdaten zurückgesetzt`,
  },
};
