// Spec, Limits: Daily Usage Limit, minimum 1 GB per day, default none.
import { GB, MB } from '#platform/data-size.ts';
import { because, fail } from '#platform/errors.ts';

/** The smallest daily limit. */
export const DAILY_LIMIT_MIN_BYTES = GB;
/** Spec is silent: a limit has up to 3 decimals of a GB. */
const STEP_BYTES = MB;

/** Throws `limit_too_low`, or `parameter_invalid` for a fraction of a MB. Null is no limit. */
export function checkDailyLimit(bytes: bigint | null): void {
  if (bytes === null) return;
  if (bytes < DAILY_LIMIT_MIN_BYTES) throw fail('limit_too_low', { field: 'dailyLimitBytes' });
  if (bytes % STEP_BYTES !== 0n) throw fail('parameter_invalid', { field: 'dailyLimitBytes', reason: because('daily_limit_decimals') });
}
