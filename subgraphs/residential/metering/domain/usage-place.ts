// The version of a plan's figures that a subscriber has. After a break it sends this, and gets only figures that differ.
import { createHash } from 'node:crypto';
import { toDay } from '#platform/clock.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { statusOf } from '../../plans/domain/plan-status.ts';
import { bytesPerSecond } from './usage-rate.ts';

/** Opaque. Two places are equal exactly when the plan's figures are. Updates carry whole figures and not differences, so a subscriber misses nothing by skipping some. */
export function placeOf(plan: Plan): string {
  const { id, asOf, totalBytes, upBytes, downBytes, usedTodayBytes, dailyLimitBytes } = plan;
  const facts = [id, toDay(asOf), totalBytes, upBytes, downBytes, usedTodayBytes, dailyLimitBytes, statusOf(plan), bytesPerSecond(plan)];
  return createHash('sha256').update(facts.join()).digest('base64url').slice(0, 22);
}
