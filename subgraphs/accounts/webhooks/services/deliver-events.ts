// Delivers events: each end point gets its events in order, the next one after the previous one was taken. What a process had not recorded when it died is sent
// again, so every event is delivered at least once.
import { SECOND, after, daysBefore } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { everyRow } from '#platform/every-row.ts';
import { newId } from '#platform/ids.ts';
import { unseal } from '#platform/sealing.ts';
import { signatureHeaders } from '#platform/standard-webhook.ts';
import { retryAfterMs } from '#platform/retry-after.ts';
import { record } from '../../identity/services/activity.ts';
import { postToOwner } from '../../mail/services/mails.ts';
import type { WebhooksContext } from '../context.ts';
import { type AttemptAsker, type DisabledBecause, MAX_ATTEMPTS, isGone, nextTryAt } from '../domain/delivery.ts';
import { insertAttempt } from '../entities/webhook-attempt.ts';
import {
  type Claim,
  type WebhookEndpoint,
  claimEndpoint,
  dueEndpoints,
  isDue,
  endpointOfOwner,
  lockEndpoint,
  moveEndpoint,
  releaseEndpoint,
} from '../entities/webhook-endpoint.ts';
import { type WebhookEvent, deleteEventsBefore, eventOfOwner, nextEvent } from '../entities/webhook-event.ts';
import type { Receipt } from '../providers/receivers.ts';

/** Longer than one delivery takes: a delivery that has not renewed its claim for so long has died. */
const CLAIM_MS = 60 * SECOND;
/** How long one end point is served before others have their turn. */
const SLICE_MS = 20 * SECOND;

/**
 * How a turn ended. sent: an event was taken; failed: it was not; idle: no event waits; not_mine: another delivery holds the end point, or its next try is not
 * due.
 */
type Turn = 'sent' | 'failed' | 'idle' | 'not_mine';

/** Sends one end point its waiting events until none is left, one fails, or the turn is over. */
export async function deliverEvents(ctx: WebhooksContext, id: string): Promise<void> {
  const claim = newId('dlv', ctx.clock);
  const ends = performance.now() + SLICE_MS;
  let turn: Turn = 'sent';
  while (turn === 'sent' && performance.now() < ends) turn = await deliverNext(ctx, { id, claim });
  const em = ctx.em.fork();
  await releaseEndpoint(em, { id, claim });
  // An event that was stored while the end point was claimed has not started a delivery.
  const isLeft = turn === 'sent' || (turn === 'idle' && (await isDue(em, id, ctx.clock.now())));
  if (isLeft) await ctx.jobs.enqueue(em, 'accounts.webhook-deliver', { id }, { key: id });
}

async function deliverNext(ctx: WebhooksContext, { id, claim }: Pick<Claim, 'id' | 'claim'>): Promise<Turn> {
  const em = ctx.em.fork();
  const now = ctx.clock.now();
  const endpoint = await claimEndpoint(em, { id, claim, now, until: after(now, CLAIM_MS) });
  if (!endpoint) return 'not_mine';
  const event = await nextEvent(em, endpoint);
  if (!event) return 'idle';
  const receipt = await send(ctx, endpoint, event);
  return inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const fresh = await lockEndpoint(tx.em, id, endpoint.accountId);
    // The end point was removed meanwhile.
    if (!fresh) return 'not_mine';
    await noteAttempt(tx, { endpoint, event, receipt, askedBy: 'PLATFORM' });
    if (receipt.outcome === 'DELIVERED') {
      await moveEndpoint(tx.em, { id, claim }, { from: endpoint.position, to: event.position });
      return 'sent';
    }
    // The owner has moved the position or disabled it meanwhile, so this failure does not count.
    const isOver = fresh.claim !== claim || fresh.position !== endpoint.position || fresh.disabledAt !== null;
    if (!isOver) await noteFailure(tx, fresh, receipt);
    return 'failed';
  });
}

const send = (ctx: WebhooksContext, endpoint: WebhookEndpoint, { id, body }: WebhookEvent): Promise<Receipt> => {
  const at = ctx.clock.now();
  const { url } = endpoint;
  return ctx.providers.receivers.deliver({ url, body, headers: signatureHeaders({ id, at, body }, secretsOf(ctx, endpoint)) });
};

/** The present secret, and the previous one while it is valid. */
function secretsOf({ providers, clock }: WebhooksContext, endpoint: WebhookEndpoint): string[] {
  const { id, secretSealed, previousSecretSealed, previousUntil } = endpoint;
  const sealed =
    previousSecretSealed && previousUntil && previousUntil > clock.now() ? [secretSealed, previousSecretSealed] : [secretSealed];
  return sealed.map((secret) => unseal(secret, providers.secrets.sealing, id));
}

interface Tried {
  endpoint: Pick<WebhookEndpoint, 'id'>;
  event: Pick<WebhookEvent, 'id'>;
  receipt: Receipt;
  askedBy: AttemptAsker;
}

function noteAttempt({ em, clock }: WebhooksContext, { endpoint, event, receipt, askedBy }: Tried): Promise<void> {
  const { outcome, status, durationMs, said } = receipt;
  const about = { endpointId: endpoint.id, eventId: event.id, askedBy, outcome, status, durationMs, said };
  return insertAttempt(em, { id: newId('dlv', clock), at: clock.now(), ...about });
}

/** Sets the next try, or disables the end point: after three days of failures, or at once when it wants no more events. */
async function noteFailure(tx: WebhooksContext, endpoint: WebhookEndpoint, { status, retryAfter }: Receipt): Promise<void> {
  const now = tx.clock.now();
  endpoint.failures += 1;
  endpoint.failingSince ??= now;
  const next = isGone(status) ? undefined : nextTryAt(endpoint.failures, now, retryAfterMs(retryAfter, now));
  endpoint.nextTryAt = next ?? null;
  if (!next) await disable(tx, endpoint, isGone(status) ? 'GONE' : 'FAILING');
}

/** Disables an end point, in the caller's transaction. Undelivered events wait until it is enabled again. */
export async function disable(tx: WebhooksContext, endpoint: WebhookEndpoint, because: DisabledBecause): Promise<void> {
  const { id, accountId, url } = endpoint;
  Object.assign(endpoint, { disabledAt: tx.clock.now(), disabledBecause: because, nextTryAt: null });
  await record(tx, { type: 'webhook_endpoint.disabled', accountId, subject: id, data: { url, because } });
  if (because === 'OWNER') return;
  await postToOwner(tx, accountId, 'webhook_disabled', {
    address: url,
    attempts: because === 'GONE' ? 1 : MAX_ATTEMPTS,
    gone: because === 'GONE',
    url: `${tx.providers.publicUrl}/developers?tab=webhooks`,
  });
}

/** Tries to send one event once, outside the order: a test, or an event that is sent again. The outcome is only recorded. */
export async function sendOnce(ctx: WebhooksContext, ids: { accountId: string; endpointId: string; eventId: string }): Promise<void> {
  const em = ctx.em.fork();
  const endpoint = await endpointOfOwner(em, ids.endpointId, ids.accountId);
  const event = await eventOfOwner(em, ids.eventId, ids.accountId);
  if (!endpoint || !event) return;
  const receipt = await send(ctx, endpoint, event);
  await inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    if (await lockEndpoint(tx.em, endpoint.id, ids.accountId)) await noteAttempt(tx, { endpoint, event, receipt, askedBy: 'OWNER' });
  });
}

/** Runs each minute: starts deliveries to end points whose next try is due, or whose delivery has died. */
export async function sweepEndpoints(ctx: WebhooksContext): Promise<void> {
  const now = ctx.clock.now();
  for await (const { id } of everyRow((cursor, limit) => dueEndpoints(ctx.em, now, cursor, limit)))
    await ctx.jobs.enqueue(ctx.em, 'accounts.webhook-deliver', { id }, { key: id });
}

export const forgetOldEvents = ({ em, clock, providers }: WebhooksContext): Promise<void> =>
  deleteEventsBefore(em, daysBefore(clock.now(), providers.retention.webhooks));
