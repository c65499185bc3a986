import { expect, test } from 'vitest';
import { next } from '#platform/lifecycle.ts';
import { addMonths } from '#commerce/proration.ts';
import { SUBSCRIPTION_LIFECYCLE, periodEndAfter } from '../../../../../../subgraphs/accounts/billing/subscriptions/domain/subscription.ts';
import { EVENTS, walkRenewals } from '../../renewals/renewal-paths.ts';
import { matrixOf } from '../../../../../kit/matrix.ts';

const STATES = ['ACTIVE', 'PAST_DUE', 'UNPAID', 'CANCELED'] as const;
const MOVES = ['renewed', 'payment_failed', 'retries_exhausted', 'ended'] as const;

test('every subscription event in every state', () => {
  expect(matrixOf(STATES, MOVES, (state, event) => next(SUBSCRIPTION_LIFECYCLE, state, event))).toMatchInlineSnapshot(`
    "
                        ACTIVE    PAST_DUE  UNPAID    CANCELED
    renewed             ACTIVE    ACTIVE    ACTIVE    .
    payment_failed      PAST_DUE  PAST_DUE  .         .
    retries_exhausted   .         UNPAID    .         .
    ended               CANCELED  CANCELED  CANCELED  .
    "
  `);
});

test.each(['CARD', 'BANK_TRANSFER'] as const)('no order of five events breaks a rule of renewals, paid by %s', (method) => {
  const paths = EVENTS.length ** 5;
  expect(walkRenewals(method, 5)).toBeGreaterThan(paths);
});

test('periods end on the day of the anchor, on the last day of shorter months', () => {
  const anchor = new Date('2026-01-31T12:00:00Z');
  const ends = Array.from({ length: 4 }, (_, index) => addMonths(anchor, index).toISOString().slice(0, 10));
  expect(ends).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']);
  expect(periodEndAfter(anchor, new Date('2026-02-28T12:00:00Z'), 1).toISOString()).toBe('2026-03-31T12:00:00.000Z');
  expect(periodEndAfter(anchor, anchor, 6).toISOString()).toBe('2026-07-31T12:00:00.000Z');
});
