/** Texts of mails that staff write, at the support desk. */
export const mailTexts = {
  title: 'Mailtexte',
  lead: 'Mails sagen, was das Programm sagt, wenn Sie es nicht selbst schreiben, in jeder Sprache. Jede Fassung bleibt im Verlauf.',
  languages: { EN: 'Englisch', DE: 'Deutsch' },
  own: (language: string) => `${language}: eigener Text`,
  standard: (language: string) => `${language}: Standard`,
  write: 'Schreiben',
  titleOf: (kind: string, language: string) => `${kind}, ${language}`,
  formLead:
    'Was veröffentlicht ist, wird von jetzt an gesendet, auch von Mails, die warten. Was die Mail nicht kennt, oder braucht und nicht hat, wird abgelehnt.',
  subject: 'Betreff',
  body: 'Text',
  bodyHint: (placeholders: string, needed: string) =>
    `Leere Zeilen trennen Absätze; einer darf „Worte des Links: {url}“ sein. Sie kennt ${placeholders}${needed ? ` und braucht ${needed}` : ''}.`,
  note: 'Was anders ist, für Mitarbeiter',
  optional: 'freiwillig',
  preview: 'Vorschau',
  try: 'An mich senden',
  sent: 'Die Mail ist an Sie unterwegs.',
  publish: 'Veröffentlichen',
  published: 'Der Text ist veröffentlicht.',
  fillIn: 'Standardtext einsetzen',
  withdraw: 'Wieder den Standardtext senden',
  withdrawn: 'Der Standardtext wird wieder gesendet.',
  again: 'wieder der Standardtext',
  history: (count: number) => (count === 1 ? 'Eine Fassung' : `${count} Fassungen`),
  version: (language: string, version: number, at: string, by: string) => `${language} ${version}, ${at}, von ${by}`,
};
