/** Texts of mails that staff write, at the support desk. */
export const mailTexts = {
  title: 'Mail texts',
  lead: 'Mails say what the program says, unless you write it yourself, in each language. Each version stays in the history.',
  languages: { EN: 'English', DE: 'German' },
  own: (language: string) => `${language}: own text`,
  standard: (language: string) => `${language}: standard`,
  write: 'Write',
  titleOf: (kind: string, language: string) => `${kind}, ${language}`,
  formLead:
    'What is published is sent from now on, also by mails that wait. What the mail does not know, or needs and has not, is refused.',
  subject: 'Subject',
  body: 'Text',
  bodyHint: (placeholders: string, needed: string) =>
    `Blank lines part paragraphs; one may be “Words of the link: {url}”. It knows ${placeholders}${needed ? `, and needs ${needed}` : ''}.`,
  note: 'What is different, for staff',
  optional: 'optional',
  preview: 'Preview',
  try: 'Send to me',
  sent: 'The mail is on its way to you.',
  publish: 'Publish',
  published: 'The text is published.',
  fillIn: 'Fill in the standard text',
  withdraw: 'Send the standard text again',
  withdrawn: 'The standard text is sent again.',
  again: 'the standard text again',
  history: (count: number) => (count === 1 ? 'One version' : `${count} versions`),
  version: (language: string, version: number, at: string, by: string) => `${language} ${version}, ${at}, by ${by}`,
};
