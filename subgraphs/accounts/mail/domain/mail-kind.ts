/** kind -> what a mail of it needs -> what it says. Each noun has its own; `mails.ts` of the subgraph declares them all here, so that mail/ knows none of them. */
export interface MailTexts {}

export type MailKind = keyof MailTexts & string;
/** What a mail of a kind needs; the name of the brand is added to each. */
export type MailData<Kind extends MailKind> = Omit<Parameters<MailTexts[Kind]>[0], 'brand'>;
