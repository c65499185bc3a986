// The failure that a customer gets when the line's proxy user is paused by its owner or has reached its own limit.
import { type Failure, fail } from '#platform/errors.ts';
import type { UserStop } from './protocol/control-plane.ts';

export function userStopped(stop: UserStop, retryAfterSeconds = 1): Failure {
  if (stop === 'paused') return fail('proxy_user_paused');
  return stop === 'used_up' ? fail('proxy_user_used_up') : fail('proxy_user_limit_reached', { retry_after_seconds: retryAfterSeconds });
}
