// Makes a plan for an account: exactly one per order, however often the order is delivered.
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import { type SealingKeys, seal } from '#platform/sealing.ts';
import { randomBase62 } from '#platform/secrets.ts';
import { isSuspended } from '#commerce/account-suspension.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import { SESSION_NUMBERS, toStride } from '../domain/session-numbers.ts';
import { endOf, reachedEndMark } from '../domain/validity.ts';
import { insertPlan, planIdOfOrder } from '../entities/plan.ts';
import { notifyFiguresChanged } from '../entities/plan-figures.ts';
import type { Context } from '../context.ts';
import { resolveBalances } from './announce-balance.ts';

/** Ten letters are 50 bits. A name that is already taken makes the statement fail, once in millions of plans; the delivery is then repeated with another name. */
const USERNAME_LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const USERNAME_LENGTH = 10;
/** 131 bits. */
const PASSWORD_LENGTH = 22;

/** Plans and proxy users have usernames of different lengths, so that none can be equal. */
export const newUsername = (length = USERNAME_LENGTH): string =>
  Array.from(randomBytes(length), (byte) => USERNAME_LETTERS[byte & 31]).join('');

export interface NewCredentials {
  sealed: Buffer;
  fingerprint: Buffer;
}

/** Makes a proxy password for a plan or a proxy user, as it is stored: sealed, for the lines, and as the fingerprint that proxy nodes compare. */
export function newPassword(ownerId: string, sealing: SealingKeys): NewCredentials {
  const password = randomBase62(PASSWORD_LENGTH);
  return { sealed: seal(password, sealing, ownerId), fingerprint: createHash('sha256').update(password).digest() };
}

export interface Grant {
  accountId: string;
  product: ProductCode;
  bytes: bigint;
  /** For how many days it is valid, from now on; absent: for ever. */
  validDays?: number | undefined;
  /** The order that paid for it; absent when nobody paid: an id is then made up. */
  orderId?: string;
}

/** Returns the id of the plan, and whether it is new: a repeated order has its plan already. */
export const grantPlan = (
  ctx: Context,
  { accountId, product, bytes, validDays, orderId: paidBy }: Grant,
): Promise<{ planId: string; granted: boolean }> =>
  inTransaction(ctx, async (tx) => {
    const { em, clock, providers } = tx;
    const planId = newId('plan', clock);
    const orderId = paidBy ?? newId('ord', clock);
    const now = clock.now();
    const validUntil = endOf(now, validDays);
    const { sealed, fingerprint } = newPassword(planId, providers.secrets.sealing);
    const isNew = await insertPlan(em, {
      id: planId,
      accountId,
      orderId,
      product,
      username: newUsername(),
      passwordSealed: sealed,
      passwordFingerprint: fingerprint,
      totalBytes: bytes,
      sessionStride: toStride(randomInt(SESSION_NUMBERS)),
      sessionNext: randomInt(SESSION_NUMBERS),
      createdAt: now,
      validUntil,
      toldValidDays: reachedEndMark(validUntil, now),
      accountSuspended: await isSuspended(em, accountId),
    });
    if (!isNew) return { planId: (await planIdOfOrder(em, orderId)) ?? '', granted: false };
    const about = { at: now, accountId, subject: planId };
    if (paidBy !== undefined) await appendEvents(em, { type: 'fulfilment.delivered', ...about, data: { orderId } });
    await appendEvents(em, { type: 'residential_plan.created', ...about, data: { orderId, planId, product, bytes: bytes.toString() } });
    await resolveBalances(tx, accountId, product, planId);
    await notifyFiguresChanged(em, { id: planId, accountId });
    return { planId, granted: true };
  });
