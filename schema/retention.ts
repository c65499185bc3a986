// How long what is known of people is kept, in days: the terms that an operator may set. What the law decides, books and evidence for tax, is not among them.

interface Term {
  /** The environment variable. */
  variable: string;
  /** Its default, the least and the most. */
  days: number;
  least: number;
  most: number;
  /** What is kept so long. */
  keeps: string;
}

export const RETENTION = {
  activity: {
    variable: 'RETAIN_ACTIVITY_DAYS',
    days: 365,
    least: 1,
    most: 3_650,
    keeps: 'who did what on an account, when and from where',
  },
  mails: {
    variable: 'RETAIN_MAILS_DAYS',
    days: 90,
    least: 1,
    most: 3_650,
    keeps: 'that a mail was sent, and to whom; its text goes once it is sent',
  },
  links: { variable: 'RETAIN_LINKS_DAYS', days: 30, least: 1, most: 365, keeps: 'links, challenges and sign-ups, after their end' },
  staffActs: {
    variable: 'RETAIN_STAFF_ACTS_DAYS',
    days: 3_650,
    least: 90,
    most: 7_300,
    keeps: 'what members of staff did at the desk; by default as long as the books that it explains',
  },
  idleSessions: {
    variable: 'RETAIN_IDLE_SESSIONS_DAYS',
    days: 30,
    least: 1,
    most: 365,
    keeps: 'a session that nobody uses; then one signs in again',
  },
  sessions: { variable: 'RETAIN_SESSIONS_DAYS', days: 90, least: 1, most: 365, keeps: 'a session, however much it is used' },
  webhooks: {
    variable: 'RETAIN_WEBHOOKS_DAYS',
    days: 30,
    least: 30,
    most: 365,
    keeps: 'events for webhooks and what end points answered; never less than the documents of the API promise',
  },
  usage: {
    variable: 'RETAIN_USAGE_DAYS',
    days: 90,
    least: 7,
    most: 3_650,
    keeps: 'hosts, client addresses and sessions of counted bytes; totals and days stay. Older lines of networks are refused',
  },
  requests: {
    variable: 'RETAIN_REQUESTS_DAYS',
    days: 7,
    least: 1,
    most: 90,
    keeps: "the log of a plan's requests, where its owner wants one",
  },
  leases: {
    variable: 'RETAIN_LEASES_DAYS',
    days: 7,
    least: 2,
    most: 365,
    keeps: 'when and how much a plan was used on a node, after that use has ended; a node that reports later than this is not heard',
  },
  traces: {
    variable: 'RETAIN_TRACES_DAYS',
    days: 7,
    least: 7,
    most: 90,
    keeps: 'a keyed hash of the network that an order came from; rules of the desk count a week back',
  },
  events: {
    variable: 'RETAIN_EVENTS_DAYS',
    days: 730,
    least: 90,
    most: 36_500,
    keeps: 'the log of events, once every part has read them: ids of accounts and what they had; the marks of charts come from it',
  },
  serverLoad: {
    variable: 'RETAIN_SERVER_LOAD_DAYS',
    days: 7,
    least: 7,
    most: 365,
    keeps: 'the load of dedicated servers; the dashboard shows a week of it',
  },
} as const satisfies Record<string, Term>;

export type RetentionKind = keyof typeof RETENTION;
export const RETENTION_KINDS = Object.keys(RETENTION) as RetentionKind[];

/** Days by kind. */
export type Retention = Readonly<Record<RetentionKind, number>>;

/** Without any setting. */
export const DEFAULT_RETENTION = Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, RETENTION[kind].days])) as Record<
  RetentionKind,
  number
>;

/** A term in the words of the register, which fills in the days that are set. */
export const daysOf = (kind: RetentionKind): string => `{${kind}} days`;
