// Takes the cost of a key's operations from one budget, whether they come by REST, MCP or GraphQL: all of them run through the gateway.
import { because, fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { LIMITS } from './limits.ts';

/** `extensions.cost` of an answer to a key. */
export interface OperationCost {
  /** The cost of this operation, with its variables. */
  requested: number;
  /** The most that one operation may cost. */
  limit: number;
  /** The budget of all operations of the key in one minute. */
  budget: { limit: number; remaining: number; resetSeconds: number };
}

/** Takes the cost of an operation from the key's budget; undefined where costs are not counted. Throws `rate_limited`. */
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
