// How long a message may wait for its browser, and how much it may wake it.
import { HOUR, MINUTE, after } from '#platform/clock.ts';
import type { NotificationTopic } from '../../mail/domain/notification-topic.ts';

/** RFC 8030, 5.3: a phone that saves its battery is woken for `high` alone. */
export type Urgency = 'low' | 'normal' | 'high';

interface Terms {
  urgency: Urgency;
  /** What is older is of no use on a screen: the mail, or the page, says it still. */
  lifeMs: number;
}

const PUSH_TERMS: Readonly<Record<NotificationTopic, Terms>> = {
  LOW_BALANCE: { urgency: 'high', lifeMs: 24 * HOUR },
  PAUSED_PLANS: { urgency: 'high', lifeMs: 12 * HOUR },
  DELIVERIES: { urgency: 'normal', lifeMs: 24 * HOUR },
  RENEWALS: { urgency: 'low', lifeMs: 72 * HOUR },
  EXPIRING_CARDS: { urgency: 'low', lifeMs: 72 * HOUR },
  EXPIRING_KEYS: { urgency: 'normal', lifeMs: 24 * HOUR },
  DOWNTIME_CREDITS: { urgency: 'low', lifeMs: 72 * HOUR },
  PAYMENTS: { urgency: 'normal', lifeMs: 72 * HOUR },
  ENDINGS: { urgency: 'high', lifeMs: 72 * HOUR },
  SECURITY: { urgency: 'high', lifeMs: 24 * HOUR },
};

/** Somebody waits in front of the screen. */
const TEST_TERMS: Terms = { urgency: 'high', lifeMs: 10 * MINUTE };

/** `topic` undefined: of a test. */
export const pushTermsOf = (topic: NotificationTopic | undefined): Terms => (topic === undefined ? TEST_TERMS : PUSH_TERMS[topic]);

export const endOfLife = (topic: NotificationTopic | undefined, now: Date): Date => after(now, pushTermsOf(topic).lifeMs);
