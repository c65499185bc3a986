import { expect, test } from 'vitest';
import { afterSuspension } from '../../../../../../subgraphs/accounts/billing/renewals/domain/after-suspension.ts';
import { NOTHING_OWED, type Renewing } from '../../../../../../subgraphs/accounts/billing/subscriptions/domain/dunning.ts';

const on = (day: number) => new Date(Date.UTC(2026, 2, day));
const facts = (more: Partial<Renewing> = {}): Renewing => ({
  ...NOTHING_OWED,
  status: 'ACTIVE',
  isCharged: true,
  currentPeriodEnd: on(15),
  months: 1,
  noticedFor: null,
  cancelAtPeriodEnd: false,
  asked: false,
  ...more,
});

test('a period that ended while the account was suspended is followed by one that begins with the restoring', () => {
  expect(afterSuspension(facts(), on(10), on(20)).currentPeriodEnd).toEqual(on(20));
});

test('paid time runs on: what is paid further ahead, was over before, is owed already or is cancelled stays as it is', () => {
  expect(afterSuspension(facts(), on(1), on(10)).currentPeriodEnd).toBeUndefined();
  expect(afterSuspension(facts(), on(16), on(20)).currentPeriodEnd).toBeUndefined();
  expect(afterSuspension(facts({ asked: true }), on(10), on(20)).currentPeriodEnd).toBeUndefined();
  expect(afterSuspension(facts({ cancelAtPeriodEnd: true }), on(10), on(20)).currentPeriodEnd).toBeUndefined();
});

test('every date of a renewal that is owed is as far away as it was', () => {
  const owed = facts({
    status: 'UNPAID',
    asked: true,
    failures: 4,
    failedAt: on(3),
    suspendedAt: on(8),
    removalWarnedAt: on(9),
    nextAttemptAt: on(12),
  });
  expect(afterSuspension(owed, on(10), on(17))).toEqual({
    failedAt: on(10),
    suspendedAt: on(15),
    removalWarnedAt: on(16),
    nextAttemptAt: on(19),
  });
});
