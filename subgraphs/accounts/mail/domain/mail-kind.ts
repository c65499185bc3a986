/**
 * Kind of mail -> a function from the mail's data to its text. Each noun has its own mails; `mails.ts` of the subgraph declares them all here, so that mail/
 * imports none of them.
 */
export interface MailTexts {}

export type MailKind = keyof MailTexts & string;
/** The data of a mail of this kind, without the brand, which is added to each. */
export type MailData<Kind extends MailKind> = Omit<Parameters<MailTexts[Kind]>[0], 'brand'>;
