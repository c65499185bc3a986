// What a key's operations cost, taken from one budget whichever way they come: REST, MCP and GraphQL all run through the gateway.
import { because, fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { LIMITS } from './limits.ts';

/** `extensions.cost` of an answer to a key. */
export interface OperationCost {
  /** Of this operation, by its variables. */
  requested: number;
  /** Of one operation. */
  limit: number;
  /** Of all operations of the key in a minute. */
  budget: { limit: number; remaining: number; resetSeconds: number };
}

/** Takes the cost of an operation; undefined where nothing is counted. Throws `rate_limited`. */
export type ChargeOperation = (viewer: Viewer, requested: number) => Promise<OperationCost | undefined>;

/** `charge` undefined: costs are not counted. */
export const chargeOperation =
  (charge: RateLimiter['charge'] | undefined): ChargeOperation =>
  async (viewer, requested) => {
    if (viewer.kind !== 'key' || !charge) return undefined;
    const { passed, rate } = await charge(`key:${viewer.keyId}`, requested);
    if (!passed) throw fail('rate_limited', { retry_after_seconds: rate.resetSeconds, reason: because('cost_budget_used') });
    return { requested, limit: LIMITS.cost, budget: rate };
  };
