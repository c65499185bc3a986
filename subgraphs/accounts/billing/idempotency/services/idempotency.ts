// A request that costs money takes effect once, however often it is sent: the first one runs, and repeats get its answer, whatever has changed since.
import { createHash, randomUUID } from 'node:crypto';
import { DAY, MINUTE, after } from '#platform/clock.ts';
import { accountOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { checkIdempotencyKey } from '#platform/idempotency-key.ts';
import { claimRequest, finishRequest, forgetRequests, freeRequest, requestWithKey } from '../entities/idempotent-request.ts';
import type { IdentityContext } from '../../../identity/context.ts';

/** Longer than any request may take: an attempt that is older has died, and the next one may run. */
const ATTEMPT_MS = MINUTE;
/**
 * How long answers are kept; afterwards the rows of the effect itself still prevent a second one. Spec is silent: as long as the card processor keeps its own.
 */
const KEPT_MS = DAY;

export interface IdempotentCall {
  /** The operation; a key belongs to one request of one operation. */
  operation: string;
  /** Chosen by the caller, 8 to 255 characters. */
  key: string;
  /** Everything that determines the effect; the same key with a different request is refused. */
  request: object;
}

/**
 * Runs `work` once per account and key. A repeat gets the stored answer; while the first attempt is running it gets 409 `idempotency_in_flight`, and with a
 * different request 422 `idempotency_conflict`. An attempt that throws frees its key. `work` must be safe to repeat, since it may die between its effect and
 * its answer: `effect` is the same in each attempt, and is to be used as the body of the id of what `work` creates.
 */
export async function once<Answer extends object>(
  ctx: IdentityContext,
  { operation, key, request }: IdempotentCall,
  work: (effect: string) => Promise<Answer>,
): Promise<Answer> {
  checkIdempotencyKey(key);
  const id = { accountId: accountOf(ctx), key };
  const requestHash = createHash('sha256')
    .update(JSON.stringify([operation, request]))
    .digest('hex');
  const attempt = randomUUID();
  const now = ctx.clock.now();
  if (!(await claimRequest(ctx.em.fork(), { ...id, requestHash, attempt }, { now, died: after(now, -ATTEMPT_MS) }))) {
    const known = await requestWithKey(ctx.em.fork(), id);
    if (known && known.requestHash !== requestHash) throw fail('idempotency_conflict', { field: 'idempotencyKey' });
    if (!known?.finishedAt) throw fail('idempotency_in_flight', { retry_after_seconds: 1 });
    return revive<Answer>(known.answer);
  }
  let answer: Answer;
  try {
    answer = await work(effectOf(id));
  } catch (error) {
    await freeRequest(ctx.em.fork(), { ...id, attempt });
    throw error;
  }
  const stored = toStored(answer);
  // The first caller is answered from the stored form too, so that its answer and the repeats are the same to the byte.
  await finishRequest(ctx.em.fork(), { ...id, attempt }, stored, ctx.clock.now());
  return revive<Answer>(stored);
}

const effectOf = ({ accountId, key }: { accountId: string; key: string }): string =>
  createHash('sha256')
    .update(JSON.stringify([accountId, key]))
    .digest('hex')
    .slice(0, 26);

/** Dates are stored in a form that `revive` turns back into dates; everything else must survive JSON. */
const toStored = (answer: object): object =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, value instanceof Date ? { instant: value.toISOString() } : value]),
  );

const revive = <Answer>(stored: object | null | undefined): Answer =>
  Object.fromEntries(
    Object.entries(stored ?? {}).map(([name, value]) => {
      const instant = (value as { instant?: unknown } | null)?.instant;
      return [name, typeof instant === 'string' ? new Date(instant) : value];
    }),
  ) as Answer;

/** Deletes answers that are no longer kept. */
export const forgetAnswers = ({ em, clock }: IdentityContext): Promise<number> => forgetRequests(em, after(clock.now(), -KEPT_MS));
