// A complaint about what customers do: its states and entries, and the text of a case that is handed on.
export const ABUSE_KINDS = ['SPAM', 'SCANNING', 'INTRUSION', 'FRAUD', 'COPYRIGHT', 'DENIAL_OF_SERVICE', 'OTHER'] as const;
export type AbuseKind = (typeof ABUSE_KINDS)[number];

/** WAITING: a customer was warned and may still answer. */
export const ABUSE_STATES = ['OPEN', 'WAITING', 'CLOSED'] as const;
export type AbuseState = (typeof ABUSE_STATES)[number];

/** USE: a seller's record of who used the address. DEED: what was done to a linked account since the case was opened. */
export const ABUSE_ENTRY_KINDS = ['NOTE', 'USE', 'WARNING', 'DEED', 'STATE'] as const;
export type AbuseEntryKind = (typeof ABUSE_ENTRY_KINDS)[number];

export interface AbuseLine {
  /** ISO 8601. */
  at: string;
  text: string;
}

export interface CaseToWrite {
  id: string;
  state: AbuseState;
  kind: AbuseKind;
  reporter: string;
  complaint: string;
  address?: string | null;
  happenedAt?: Date | null;
  openedAt: Date;
  respondBy?: Date | null;
  closedAt?: Date | null;
}

interface EntryToWrite {
  at: Date;
  by?: string | null;
  kind: AbuseEntryKind;
  accountId?: string | null;
  title: string;
  lines: readonly AbuseLine[];
}

/** The whole case as plain text, in chronological order. All times are UTC. */
export function writePack(abuse: CaseToWrite, entries: readonly EntryToWrite[], seller: string, made: Date): string {
  const facts: [string, string | undefined][] = [
    ['Case', abuse.id],
    ['Kind', abuse.kind],
    ['State', abuse.state],
    ['Reporter', abuse.reporter],
    ['Address', abuse.address ?? undefined],
    ['Used at', abuse.happenedAt?.toISOString()],
    ['Opened at', abuse.openedAt.toISOString()],
    ['Answer until', abuse.respondBy?.toISOString()],
    ['Closed at', abuse.closedAt?.toISOString()],
  ];
  return [
    `Abuse case of ${seller}, written at ${made.toISOString()}`,
    '',
    ...facts.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${value}`),
    ...(abuse.complaint ? ['', 'The complaint', abuse.complaint] : []),
    ...entries.flatMap(({ at, by, kind, accountId, title, lines }) => [
      '',
      `${at.toISOString()}  ${kind}  ${by ?? 'platform'}${accountId ? `  account ${accountId}` : ''}`,
      title,
      ...lines.map((line) => `  ${line.at}  ${line.text}`),
    ]),
    '',
  ].join('\n');
}
