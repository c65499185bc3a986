/** What a notification is about. */
interface TopicTerms {
  /** The kinds of mail about it. */
  mails: readonly string[];
  /** The types of events that tell end points of webhooks of the same (`schema/customer-events.ts`). */
  events: readonly string[];
  /** Its mails cannot be switched off: they protect the account, law demands them, or they ask for money or report a loss. */
  required?: true;
}

/**
 * The one table of who decides about a mail: topic -> its terms. A kind of mail without a topic is always sent, such as a link that somebody waits for, so a new
 * kind can be switched off only when it is named here.
 */
export const NOTIFICATION_TOPICS = {
  LOW_BALANCE: { mails: ['balance_low'], events: ['residential_plan.balance_low'] },
  PAUSED_PLANS: { mails: ['plan_paused'], events: ['residential_plan.paused'] },
  DELIVERIES: { mails: ['server_ready'], events: ['server.ready', 'static_plan.delivered'] },
  RENEWALS: { mails: ['renewal_upcoming'], events: [] },
  EXPIRING_CARDS: { mails: ['card_expires'], events: [] },
  EXPIRING_KEYS: { mails: ['key_expiring'], events: [] },
  DOWNTIME_CREDITS: { mails: ['downtime_credited'], events: [] },
  PAYMENTS: {
    mails: [
      'order_paid',
      'renewal_due',
      'renewal_failed',
      'renewal_card_refused',
      'price_changes',
      'price_stays',
      'top_up_held',
      'top_up_stopped',
    ],
    events: ['invoice.paid', 'invoice.failed'],
    required: true,
  },
  ENDINGS: {
    mails: [
      'plan_ends_soon',
      'plan_lapsed',
      'renewal_suspended',
      'removal_near',
      'subscription_ended',
      'server_suspended',
      'server_deleted',
    ],
    events: [
      'residential_plan.ends_soon',
      'residential_plan.lapsed',
      'residential_plan.expired',
      'static_plan.suspended',
      'server.suspended',
      'server.removed',
    ],
    required: true,
  },
  SECURITY: {
    mails: [
      'new_log_in',
      'password_changed',
      'email_changed',
      'second_factor_wrong',
      'factors_changed',
      'key_issued',
      'account_impersonated',
      'team_joined',
    ],
    events: [],
    required: true,
  },
} as const satisfies Record<string, TopicTerms>;

export type NotificationTopic = keyof typeof NOTIFICATION_TOPICS;

/** The kinds of mail that have a topic. */
export type TopicKind = (typeof NOTIFICATION_TOPICS)[NotificationTopic]['mails'][number];

export const TOPICS = Object.keys(NOTIFICATION_TOPICS) as NotificationTopic[];

export const termsOf = (topic: NotificationTopic): TopicTerms => NOTIFICATION_TOPICS[topic];

/** The topic of a kind of mail; undefined: it has none. */
export const topicOf = (kind: string): NotificationTopic | undefined => TOPICS.find((topic) => termsOf(topic).mails.includes(kind));

/** Whether the owner of an account that does not want these topics is sent a mail of a kind. */
export function isMailed(kind: string, unwanted: readonly NotificationTopic[]): boolean {
  const topic = topicOf(kind);
  return topic === undefined || termsOf(topic).required === true || !unwanted.includes(topic);
}
