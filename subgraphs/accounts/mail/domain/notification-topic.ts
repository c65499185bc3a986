/**
 * What an account may do without: topic -> the mails about it. Spec is silent: whatever protects the account, asks for money or reports a loss has no
 * topic and is always sent.
 */
export const NOTIFICATION_TOPICS = {
  LOW_BALANCE: ['balance_low'],
  DELIVERIES: ['order_paid', 'server_ready'],
  EXPIRING_KEYS: ['key_expiring'],
  DOWNTIME_CREDITS: ['downtime_credited'],
} as const satisfies Record<string, readonly string[]>;

export type NotificationTopic = keyof typeof NOTIFICATION_TOPICS;

/** The mails that have a topic. */
export type OptionalKind = (typeof NOTIFICATION_TOPICS)[NotificationTopic][number];

export const TOPICS = Object.keys(NOTIFICATION_TOPICS) as NotificationTopic[];

/** Undefined: mails of this kind are always sent. */
export const topicOf = (kind: string): NotificationTopic | undefined =>
  TOPICS.find((topic) => (NOTIFICATION_TOPICS[topic] as readonly string[]).includes(kind));
