// Where a subscriber is in the figures of a plan: after a break it says so, and hears again only of what differs by then.
import { createHash } from 'node:crypto';
import { toDay } from '#platform/clock.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { statusOf } from '../../plans/domain/plan-status.ts';
import { bytesPerSecond } from './usage-rate.ts';

/** Opaque. Two are equal exactly when the plan's figures are: they are state and not differences, so that nothing between two places is missing. */
export function placeOf(plan: Plan): string {
  const { id, asOf, totalBytes, upBytes, downBytes, usedTodayBytes, dailyLimitBytes } = plan;
  const facts = [id, toDay(asOf), totalBytes, upBytes, downBytes, usedTodayBytes, dailyLimitBytes, statusOf(plan), bytesPerSecond(plan)];
  return createHash('sha256').update(facts.join()).digest('base64url').slice(0, 22);
}
