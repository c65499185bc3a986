// What one member of staff may not do alone: one asks, and another one decides, once, within a week.
import { DAY, after } from '#platform/clock.ts';
import { type Context, accountOf } from '#platform/context.ts';
import { type Reason, fail } from '#platform/errors.ts';

export const APPROVAL_DECISIONS = ['APPROVED', 'DECLINED'] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** A request that waits for a decision, or has one. */
export interface Asked {
  askedBy: string;
  expiresAt: Date;
  decision?: string | null | undefined;
}

/** Until when a request waits for a decision. */
export const approvalEnds = (askedAt: Date): Date => after(askedAt, 7 * DAY);

/**
 * Who decides on a request now, which the caller has locked. Returns the request, with who and when. `decided` and `own`: why not. Errors: request_not_found
 * (none, or nobody has answered in time), action_not_allowed (answered already, or asked by oneself).
 */
export function deciderOf<Request extends Asked>(
  ctx: Pick<Context, 'viewer' | 'clock'>,
  request: Request | null | undefined,
  { decided, own }: { decided: Reason; own: Reason },
): { request: Request; decidedBy: string; decidedAt: Date } {
  const decidedAt = ctx.clock.now();
  if (!request || request.expiresAt <= decidedAt) throw fail('request_not_found');
  if (request.decision) throw fail('action_not_allowed', { reason: decided });
  const decidedBy = accountOf(ctx);
  if (decidedBy === request.askedBy) throw fail('action_not_allowed', { reason: own });
  return { request, decidedBy, decidedAt };
}
