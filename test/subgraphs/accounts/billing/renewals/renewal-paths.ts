// Walks every sequence of events that can happen to a renewal, up to a length, and checks the rules after every step. Nothing is random.
import { DAY, after } from '#platform/clock.ts';
import { type Renewing, DUNNING, NOTHING_OWED, stepAt } from '../../../../../subgraphs/accounts/billing/subscriptions/domain/dunning.ts';
import {
  type Outcome,
  onAsked,
  onCancel,
  onEnd,
  onFailed,
  onKeep,
  onPaid,
} from '../../../../../subgraphs/accounts/billing/subscriptions/domain/renewal.ts';
import type { PaymentMethod } from '../../../../../subgraphs/accounts/billing/payments/domain/payment-method.ts';
import { isCharged } from '../../../../../subgraphs/accounts/billing/payments/providers/payment-methods.ts';
import { periodEndAfter } from '../../../../../subgraphs/accounts/billing/subscriptions/domain/subscription.ts';

/**
 * What can happen next. The first three let time pass and run the sweeper; `late` is the webhook of a payment at any time, `again` repeats the last
 * webhook.
 */
export const EVENTS = ['due_fails', 'due_pays', 'three_days', 'late', 'again', 'cancel', 'keep', 'end'] as const;
type PathEvent = (typeof EVENTS)[number];

interface World {
  facts: Renewing;
  now: Date;
  /** How many periods were paid. Below: failures, mails about failures, and mails before a removal. */
  renewals: number;
  failures: number;
  failureMails: number;
  warnings: number;
  told: number;
  /** The end of the period in the last webhook of a payment. */
  lastPaid: Date | null;
  wasOver: boolean;
}

const ANCHOR = new Date('2026-01-31T12:00:00Z');

const begin = (method: PaymentMethod): World => ({
  facts: {
    ...NOTHING_OWED,
    status: 'ACTIVE',
    isCharged: isCharged(method),
    currentPeriodEnd: ANCHOR,
    months: 1,
    noticedFor: null,
    cancelAtPeriodEnd: false,
    asked: false,
  },
  now: new Date('2026-01-30T12:00:00Z'),
  renewals: 0,
  failures: 0,
  failureMails: 0,
  warnings: 0,
  told: 0,
  lastPaid: null,
  wasOver: false,
});

const nextEnd = ({ currentPeriodEnd }: Renewing): Date => periodEndAfter(ANCHOR, currentPeriodEnd, 1);

function tell(world: World, outcome: Outcome | undefined): boolean {
  if (!outcome) return false;
  world.facts = { ...world.facts, ...outcome.change };
  world.told += outcome.facts.length;
  return true;
}

/** A webhook that the period up to `periodEnd` is paid: the present renewal, or an earlier one. */
function pay(world: World, periodEnd: Date): void {
  if (periodEnd <= world.facts.currentPeriodEnd) return;
  if (tell(world, onPaid(world.facts, periodEnd))) {
    world.renewals += 1;
    world.lastPaid = periodEnd;
  }
}

function fail(world: World): void {
  if (!tell(world, onFailed(world.facts, world.now, DUNNING))) return;
  world.failures += 1;
  world.failureMails += 1;
}

/** Runs the sweeper until nothing is due. `pays` says how its attempts to charge end. */
function sweep(world: World, pays: boolean): void {
  for (let count = 0; count < 20; count++) {
    const step = stepAt(world.facts, world.now, DUNNING);
    if (!step) return;
    if (step === 'ask') tell(world, onAsked(world.facts, world.now));
    else if (step === 'attempt') (pays ? () => pay(world, nextEnd(world.facts)) : () => fail(world))();
    else if (step === 'notice') world.facts = { ...world.facts, noticedFor: world.facts.currentPeriodEnd };
    else if (step === 'remind') world.facts = { ...world.facts, reminders: world.facts.reminders + 1 };
    else if (step === 'warn') {
      world.facts = { ...world.facts, removalWarnedAt: world.now };
      world.warnings += 1;
    } else {
      if (step === 'remove' && world.warnings === 0) throw new Error('removed without the mail before');
      tell(world, onEnd(world.facts));
    }
  }
  throw new Error('the sweeper does not come to rest');
}

/** Moves time to the moment at which the next step is due. */
function toNextDue(world: World): void {
  const { facts } = world;
  if (stepAt(facts, world.now, DUNNING)) return;
  for (let days = 1; days <= 40; days++) {
    const later = after(world.now, days * DAY);
    if (stepAt(facts, later, DUNNING)) {
      world.now = later;
      return;
    }
  }
  world.now = after(world.now, DAY);
}

function happen(before: World, event: PathEvent): World {
  const world = { ...before };
  switch (event) {
    case 'due_fails':
    case 'due_pays':
      toNextDue(world);
      sweep(world, event === 'due_pays');
      break;
    case 'three_days':
      world.now = after(world.now, 3 * DAY);
      sweep(world, false);
      break;
    case 'late':
      pay(world, nextEnd(world.facts));
      break;
    case 'again':
      if (world.lastPaid) pay(world, world.lastPaid);
      break;
    case 'cancel':
      tell(world, onCancel(world.facts, world.now));
      break;
    case 'keep':
      tell(world, onKeep(world.facts));
      break;
    case 'end':
      tell(world, onEnd(world.facts));
      break;
  }
  world.wasOver = before.wasOver || world.facts.status === 'CANCELED';
  return world;
}

/** Checks the rules that must hold after every step. Returns the broken one as a sentence. */
function judge(before: World, event: PathEvent, { facts, ...world }: World): string | undefined {
  const was = before.facts;
  if (before.wasOver && (facts.status !== 'CANCELED' || world.told !== before.told)) return 'a service that had ended came back';
  if (world.failureMails !== world.failures) return 'failures and mails about them differ';
  if (facts.status === 'CANCELED' && facts.asked) return 'something is still asked for after the end';
  if (facts.failures > DUNNING.retryDays.length) return 'tried more often than the table has days';
  if ((facts.status === 'UNPAID') !== (facts.suspendedAt !== null && facts.status !== 'CANCELED'))
    return 'suspended and not unpaid, or the reverse';
  if (facts.status === 'UNPAID' && facts.failures !== DUNNING.retryDays.length) return 'suspended before the last attempt';
  if (facts.status === 'PAST_DUE' && (facts.failures === 0 || !facts.asked)) return 'past due without a failure';
  if (facts.status === 'ACTIVE' && facts.failures !== 0) return 'active with failures';
  const isExtended = facts.currentPeriodEnd > was.currentPeriodEnd;
  if (isExtended !== world.renewals > before.renewals) return 'a period without a payment, or a payment without a period';
  if (world.renewals > before.renewals + 1 && event !== 'due_pays') return 'one event paid several periods';
  if (event === 'again' && world.renewals !== before.renewals) return 'a notice counted twice';
  return undefined;
}

/** Walks every path of `length` events for one payment method. Throws the first broken rule with its path; returns how many steps were checked. */
export function walkRenewals(method: PaymentMethod, length: number): number {
  let steps = 0;
  const path: PathEvent[] = [];
  const walk = (world: World, left: number): void => {
    if (left === 0) return;
    for (const event of EVENTS) {
      path.push(event);
      const next = happen(world, event);
      const wrong = judge(world, event, next);
      if (wrong) throw new Error(`${wrong}: ${method} ${path.join(', ')}`);
      steps += 1;
      walk(next, left - 1);
      path.pop();
    }
  };
  walk(begin(method), length);
  return steps;
}
