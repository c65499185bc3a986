// The configuration of renewals: the days on which they are asked for, tried and given up.
import { configPart } from '#platform/config.ts';
import { count, days } from '#platform/config-values.ts';
import { DUNNING } from './domain/dunning.ts';

const rises = (values: readonly number[]) => values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0));

/** A period may be as short as 28 days, and only one renewal may be open at a time. */
const ASKED_DAYS_MAX = 21;
const LONG_NOTICE_DAYS_MAX = 90;

export const subscriptionConfiguration = configPart(
  {
    RENEWAL_RETRY_DAYS: [
      days.refine((values) => values[0] === 0 && rises(values), 'must begin with 0 and rise').default([...DUNNING.retryDays]),
      'days after the first failure on which a renewal is tried, separated by commas; after the last it is suspended',
    ],
    RENEWAL_GRACE_DAYS: [count(1).default(DUNNING.graceDays), 'days that what is suspended waits for its payment, before it is removed'],
    RENEWAL_REMOVAL_NOTICE_DAYS: [count(1).default(DUNNING.removalNoticeDays), 'days between the last mail and the removal, at least'],
    RENEWAL_ASKED_DAYS: [count(1).default(DUNNING.askedDays), 'days before its period that a renewal is asked for which no card pays'],
    RENEWAL_REMINDER_DAYS: [
      days.refine((values) => rises(values.toReversed()), 'must fall').default([...DUNNING.remindedDays]),
      'days before its period that such a renewal is reminded of',
    ],
    RENEWAL_NOTICE_DAYS: [count(1).default(DUNNING.noticeDays), 'days before a card is charged for a renewal that its owner is told'],
    RENEWAL_LONG_NOTICE_DAYS: [count(1).default(DUNNING.longNoticeDays), 'the same of periods of six months and more'],
  },
  {
    refusals: ({ RENEWAL_REMINDER_DAYS: reminders = [], ...own }) => [
      ...(own.RENEWAL_REMOVAL_NOTICE_DAYS <= own.RENEWAL_GRACE_DAYS
        ? []
        : ['RENEWAL_REMOVAL_NOTICE_DAYS must be at most RENEWAL_GRACE_DAYS']),
      ...(own.RENEWAL_NOTICE_DAYS <= ASKED_DAYS_MAX ? [] : [`RENEWAL_NOTICE_DAYS must be at most ${ASKED_DAYS_MAX}`]),
      ...(own.RENEWAL_LONG_NOTICE_DAYS <= LONG_NOTICE_DAYS_MAX ? [] : [`RENEWAL_LONG_NOTICE_DAYS must be at most ${LONG_NOTICE_DAYS_MAX}`]),
      ...(own.RENEWAL_ASKED_DAYS <= ASKED_DAYS_MAX ? [] : [`RENEWAL_ASKED_DAYS must be at most ${ASKED_DAYS_MAX}`]),
      ...((reminders[0] ?? 0) < own.RENEWAL_ASKED_DAYS ? [] : ['RENEWAL_REMINDER_DAYS must be less than RENEWAL_ASKED_DAYS']),
    ],
  },
);
