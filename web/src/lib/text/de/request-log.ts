import { REQUEST_LOG } from '../../../../../schema/limits.ts';
import type * as en from '../en/request-log.ts';

const { hour, plan, sampledOneIn } = REQUEST_LOG;

export const requestLog: typeof en.requestLog = {
  title: 'Anfragenprotokoll',
  lead: (days) =>
    `Welche Hosts die Zeilen dieses Pakets erreichen, wann, und woran eine Anfrage scheitert. ${days === 1 ? 'Einen Tag' : `${days} Tage`} lang aufbewahrt.`,
  mode: 'Was festgehalten wird',
  modes: { OFF: 'Nichts', SAMPLED: 'Stichprobe', WHOLE: 'Alles' },
  modeLeads: {
    OFF: 'Zu Beginn aus. Über einzelne Anfragen wird nichts festgehalten; Ihr Datenvolumen wird trotzdem gezählt.',
    SAMPLED: `Jede Anfrage, die scheitert, und eine von ${sampledOneIn} der übrigen.`,
    WHOLE: `Jede Anfrage, bis zu ${hour.toLocaleString('de-DE')} je Stunde und ${plan.toLocaleString('de-DE')} insgesamt, die neuesten.`,
  },
  privacy:
    'Das Protokoll enthält Hosts, nie Pfade oder Inhalte. Nutzen Menschen Ihre Zeilen, können das personenbezogene Daten über sie sein: Sagen Sie es ihnen, und schalten Sie es ab, wenn Sie es nicht mehr brauchen.',
  saved: 'Geändert. Die Proxy-Knoten erfahren es innerhalb einer Sekunde.',
  kept: (count: string) => `Aufbewahrte Anfragen: ${count}`,
  missed: (count: string) => `Für ${count} weitere war kein Platz, sie fehlen.`,
  delete: 'Protokoll löschen',
  deleteTitle: 'Anfragenprotokoll löschen?',
  deleteLead: 'Alle Anfragen, die zu diesem Paket festgehalten sind, sind sofort weg. An der Abrechnung ändert sich nichts.',
  deleted: 'Das Protokoll ist gelöscht.',
  list: 'Anfragen',
  listLead: 'Die neuesten zuerst. Eine Anfrage erscheint, sobald sie vorbei ist.',
  csv: 'CSV',
  csvLabel: 'Diese Anfragen als CSV herunterladen',
  live: 'Live',
  host: 'Host',
  hostHint: 'Mit allem darunter',
  outcome: 'Ausgang',
  outcomes: { ALL: 'Alle', FAILED: 'Alle gescheiterten' },
  session: 'Sitzung',
  user: 'Proxy-Nutzer',
  anyUser: 'Alle',
  noHost: 'Kein Ziel',
  noStatus: 'weg',
  bytes: (down: string, up: string) => `${down} empfangen, ${up} gesendet`,
  milliseconds: (count: string) => `${count} ms`,
  ofSession: (session: string) => `Sitzung ${session}`,
  mend: 'Was zu tun ist:',
  more: 'Mehr',
  emptyTitle: 'Noch keine Anfragen',
  emptyOff: 'Das Protokoll ist aus. Schalten Sie es ein, um zu sehen, was Ihre Zeilen von da an erreichen.',
  emptyOn: 'Was die Zeilen dieses Pakets von nun an tun, steht hier innerhalb von Sekunden.',
  nothingFound: 'Keine Anfrage passt zu diesem Filter.',
};
