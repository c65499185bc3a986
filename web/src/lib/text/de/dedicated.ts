import type * as en from '../en/dedicated.ts';

export const dedicated: typeof en.dedicated = {
  buy: 'Dedizierten Server bestellen',
  order: {
    title: 'Dedizierten Server bestellen',
    lead: 'Die ganze Maschine in Frankfurt mit 10 Gbit/s. Meist in wenigen Stunden bereit, spätestens nach einem Werktag.',
    held: 'Eine Maschine ist für Sie zurückgelegt, sobald Sie bestellen.',
    cores: (n: number) => `${n} Kerne`,
  },
  status: {
    PROVISIONING: 'Wird bereitgestellt',
    ACTIVE: 'Aktiv',
    REINSTALLING: 'Wird neu installiert',
    SUSPENDED: 'Gesperrt',
    DECOMMISSIONED: 'Außer Betrieb',
  },
  tabs: { overview: 'Überblick', metrics: 'Auslastung', console: 'Konsole', reinstall: 'Neuinstallation', settings: 'Einstellungen' },
  provisioningTitle: 'Ihr Server wird bereitgestellt',
  provisioningLead:
    'Meist in wenigen Stunden, spätestens nach einem Werktag. Die Zugangsdaten erscheinen hier; Sie müssen nicht auf dieser Seite warten.',
  goneTitle: 'Dieser Server ist außer Betrieb',
  goneLead: 'Seine Datenträger sind gelöscht. Der Verlauf bleibt hier lesbar.',
  endsLead: 'Dann wird der Server außer Betrieb genommen, und seine Datenträger werden gelöscht. Bis dahin können Sie es zurücknehmen.',
  resetLead:
    'Der Server startet für einige Minuten neu und erhält ein neues erzeugtes Passwort; das alte gilt nicht mehr. Die Daten bleiben.',
  cancelLead: 'Der Server läuft bis zum Ende des bezahlten Zeitraums. Dann wird er außer Betrieb genommen, und alle Daten werden gelöscht.',
  hardware: 'Hardware',
  reinstall: {
    title: 'Neuinstallation',
    lead: 'Löscht alle Datenträger und installiert ein neues System. Dauert meist 10 bis 20 Minuten. Es gibt kein Zurück.',
    leadVps:
      'Löscht die Platte und installiert in ein bis zwei Minuten ein neues System. Adressen und Backups bleiben. Zurück führt nur ein Backup.',
    os: 'Betriebssystem',
    password: 'Passwort',
    passwordHint: (min, max) =>
      `${min} bis ${max} Zeichen mit Groß- und Kleinbuchstaben und einer Ziffer. Bleibt es leer, wird eines erzeugt.`,
    action: 'Neu installieren',
    open: 'Diesen Server neu installieren',
    dialogTitle: 'Diesen Server löschen?',
    dialogLead: (system: string) => `Alles auf seinen Datenträgern geht verloren. ${system} wird installiert.`,
    confirm: (hostname: string) => `Geben Sie zur Bestätigung ${hostname} ein`,
  },
  metrics: {
    power: 'Leistung',
    temperature: 'Zuluft',
    watts: (n: number) => `${Math.round(n)} W`,
    celsius: (n: number) => `${Math.round(n)} °C`,
    lead: 'Gemessen vom Controller der Maschine, welches System auch immer darauf läuft.',
  },
};
