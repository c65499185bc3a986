/**
 * The mails that an account can switch off: topic -> the kinds of mail about it. Spec is silent: mails that protect the account, ask for money or report a loss
 * have no topic and are always sent.
 */
export const NOTIFICATION_TOPICS = {
  LOW_BALANCE: ['balance_low'],
  DELIVERIES: ['order_paid', 'server_ready'],
  EXPIRING_KEYS: ['key_expiring'],
  DOWNTIME_CREDITS: ['downtime_credited'],
} as const satisfies Record<string, readonly string[]>;

export type NotificationTopic = keyof typeof NOTIFICATION_TOPICS;

/** The kinds of mail that have a topic. */
export type OptionalKind = (typeof NOTIFICATION_TOPICS)[NotificationTopic][number];

export const TOPICS = Object.keys(NOTIFICATION_TOPICS) as NotificationTopic[];

/** The topic of a kind of mail; undefined: it is always sent. */
export const topicOf = (kind: string): NotificationTopic | undefined =>
  TOPICS.find((topic) => (NOTIFICATION_TOPICS[topic] as readonly string[]).includes(kind));
