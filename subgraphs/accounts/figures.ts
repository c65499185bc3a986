// The metrics that Prometheus reads about orders, money, mails, API keys and customers' webhooks.
import { DAY, after } from '#platform/clock.ts';
import { ageSeconds } from '#platform/figures.ts';
import type { RoomFigures } from '#platform/subgraph.ts';
import { disputesOpen } from './billing/disputes/entities/dispute-figures.ts';
import { waitingOrders } from './billing/orders/entities/order-figures.ts';
import { countInReview } from './billing/risk/entities/order-review.ts';
import { countFailedRefunds, paidSince } from './billing/payments/entities/payment-figures.ts';
import { failedAttemptsSince, livingSubscriptions } from './billing/subscriptions/entities/subscription-figures.ts';
import { countKeysEnding } from './keys/entities/api-key.ts';
import { countTroubled } from './webhooks/entities/webhook-endpoint.ts';
import { countRefusedDevices } from './push/entities/push-device.ts';
import { countMessages } from './push/entities/push-message.ts';
import { mailFigures } from './mail/entities/mail-figures.ts';

const orders: RoomFigures = {
  gauges: {
    egress_orders_waiting: ['Orders that wait for their payment (PENDING), or for their delivery (PAID)', 'status', 'method'],
    egress_orders_in_review: ['Orders that are paid and held for a person to look at'],
    egress_orders_undelivered_seconds: ['How long the oldest order that is paid and not delivered has waited'],
  },
  read: async ({ em, now }) => {
    const rows = await waitingOrders(em);
    const undelivered = rows.filter(({ status }) => status === 'PAID').map(({ oldest }) => ageSeconds(oldest, now));
    return [
      ...rows.map(({ status, method, orders: value }) => ({ gauge: 'egress_orders_waiting', labels: { status, method }, value })),
      { gauge: 'egress_orders_in_review', value: await countInReview(em) },
      { gauge: 'egress_orders_undelivered_seconds', value: Math.max(0, ...undelivered) },
    ];
  },
};

const money: RoomFigures = {
  gauges: {
    egress_paid_day: ['What was paid in the last 24 hours, in minor units', 'processor', 'currency'],
    egress_payments_day: ['Payments of the last 24 hours', 'processor', 'currency'],
    egress_payments_failed_day: [
      'Charges for renewals that were refused in the last 24 hours; final: these means are not tried again',
      'final',
    ],
    egress_refunds_failed: ['Refunds that came back and wait for a person'],
    egress_disputes_open: ['Disputes that are not decided'],
    egress_disputes_answer_seconds: ['Until the first open dispute must be answered; none without one that waits for us'],
    egress_billing_subscriptions: ['Subscriptions that are not over, by the subgraph that sold them', 'seller', 'status'],
  },
  read: async ({ em, now }) => {
    const { disputes, respondBy } = await disputesOpen(em);
    return [
      ...(await paidSince(em, after(now, -DAY))).flatMap(({ processor, currency, payments, amountMinor }) => [
        { gauge: 'egress_paid_day', labels: { processor, currency }, value: amountMinor },
        { gauge: 'egress_payments_day', labels: { processor, currency }, value: payments },
      ]),
      ...(await failedAttemptsSince(em, after(now, -DAY))).map(({ isFinal, attempts: value }) => ({
        gauge: 'egress_payments_failed_day',
        labels: { final: String(isFinal) },
        value,
      })),
      { gauge: 'egress_refunds_failed', value: await countFailedRefunds(em) },
      { gauge: 'egress_disputes_open', value: disputes },
      ...(respondBy ? [{ gauge: 'egress_disputes_answer_seconds', value: (new Date(respondBy).getTime() - now.getTime()) / 1_000 }] : []),
      ...(await livingSubscriptions(em)).map(({ subscriptions: value, ...labels }) => ({
        gauge: 'egress_billing_subscriptions',
        labels,
        value,
      })),
    ];
  },
};

const mails: RoomFigures = {
  gauges: {
    egress_mails_waiting: ['Mails that wait to be sent'],
    egress_mails_waiting_seconds: ['How long the oldest mail has waited'],
    egress_mails_refused: ['Mails that were refused for good'],
  },
  read: async ({ em, now }) => {
    const { waiting, oldest, refused } = await mailFigures(em);
    return [
      { gauge: 'egress_mails_waiting', value: waiting },
      { gauge: 'egress_mails_waiting_seconds', value: ageSeconds(oldest, now) },
      { gauge: 'egress_mails_refused', value: refused },
    ];
  },
};

/** The first mail about the end of a key is sent as many days before. */
const KEY_ENDS_DAYS = 7;

const keys: RoomFigures = {
  gauges: { egress_api_keys_ending: ['API keys that work and end within seven days'] },
  read: async ({ em, now }) => [
    { gauge: 'egress_api_keys_ending', value: await countKeysEnding(em, now, after(now, KEY_ENDS_DAYS * DAY)) },
  ],
};

const webhooks: RoomFigures = {
  gauges: {
    egress_webhooks_failing: ['End points of customers that do not take their events'],
    egress_webhooks_disabled: ['End points that were disabled for it'],
  },
  read: async ({ em }) => {
    const { failing, disabled } = await countTroubled(em);
    return [
      { gauge: 'egress_webhooks_failing', value: failing },
      { gauge: 'egress_webhooks_disabled', value: disabled },
    ];
  },
};

const push: RoomFigures = {
  gauges: {
    egress_push_waiting: ['Notifications that wait for the push service of a browser'],
    egress_push_refused: ['Browsers whose push service has refused our last notification'],
  },
  read: async ({ em }) => [
    { gauge: 'egress_push_waiting', value: await countMessages(em) },
    { gauge: 'egress_push_refused', value: await countRefusedDevices(em) },
  ],
};

export const figures = [orders, money, mails, keys, webhooks, push];
