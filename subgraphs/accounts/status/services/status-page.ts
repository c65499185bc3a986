// What this subgraph tells the status page: the days as gateways measured them, and the state of payments.
import { DAY, MINUTE, after } from '#platform/clock.ts';
import type { ComponentState } from '#platform/component-state.ts';
import { fail } from '#platform/errors.ts';
import { ageSeconds } from '#platform/figures.ts';
import { STATUS_DAYS, STUCK_AFTER_MINUTES } from '../../../../schema/limits.ts';
import type { Context } from '../../context.ts';
import { waitingOrders } from '../../billing/orders/entities/order-figures.ts';
import { type StatusDay, type StatusMinute, addStatusMinutes, deleteStatusDays, statusDays } from '../entities/status-day.ts';

/** How old a reported minute may be: a gateway that could not report for two days still reports them. */
const MAX_AGE_MS = 3 * DAY;
/** The most minutes of one report; a gateway sends the rest with the next one. */
export const MAX_MINUTES = 2_000;

/** Stores what a gateway has measured. Errors: parameter_invalid (too many, too old, or to come). */
export async function takeStatusMinutes({ em, clock }: Context, minutes: readonly StatusMinute[]): Promise<void> {
  const now = clock.now();
  const isNear = ({ at }: StatusMinute) => at > after(now, -MAX_AGE_MS) && at < after(now, MINUTE);
  if (minutes.length > MAX_MINUTES || !minutes.every(isNear)) throw fail('parameter_invalid', { field: 'minutes' });
  await addStatusMinutes(em, minutes);
  await deleteStatusDays(em, after(now, -STATUS_DAYS * DAY));
}

/** The days of the history, including today, by day and component. */
export const statusHistory = ({ em, clock }: Context): Promise<StatusDay[]> => statusDays(em, after(clock.now(), -(STATUS_DAYS - 1) * DAY));

/** DEGRADED while a payment processor does not answer, or while a paid order has waited too long for its delivery. */
export async function paymentsState({ em, clock, providers }: Context): Promise<ComponentState> {
  const now = clock.now();
  const waits = (await waitingOrders(em)).some(
    ({ status, oldest }) => status === 'PAID' && ageSeconds(oldest, now) > STUCK_AFTER_MINUTES * 60,
  );
  return waits || (await providers.paymentsAway()) ? 'DEGRADED' : 'OPERATIONAL';
}
