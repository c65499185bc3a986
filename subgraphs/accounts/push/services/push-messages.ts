// Stores what browsers are to show, and sends it: each message at least once, within its life, the latest of each topic alone.
import { MINUTE, SECOND, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { everyRow } from '#platform/every-row.ts';
import { newId } from '#platform/ids.ts';
import { seal, unseal } from '#platform/sealing.ts';
import { retryAfterMs } from '#platform/retry-after.ts';
import { type Account, openAccount } from '../../identity/entities/account.ts';
import { topicOf } from '../../mail/domain/notification-topic.ts';
import type { Recipient } from '../../mail/providers/recipients.ts';
import { writeMail } from '../../mail/services/mail-templates.ts';
import { nextTryAt } from '../../webhooks/domain/delivery.ts';
import type { Receipt } from '../../webhooks/providers/receivers.ts';
import type { PushContext } from '../context.ts';
import { type PushNotice, SHORTER, noticeOf, pushTopicOf } from '../domain/push-notice.ts';
import { endOfLife, pushTermsOf } from '../domain/push-terms.ts';
import { TEST_KIND, testText } from '../domain/push-test.ts';
import { isSenderRefused, verdictOf } from '../domain/push-verdict.ts';
import type { PushSubscription } from '../domain/subscription.ts';
import { type PushDevice, deviceWithId, devicesOfAccount, noteDelivered, noteRefused } from '../entities/push-device.ts';
import {
  type PushMessage,
  claimMessage,
  deleteMessage,
  deleteSent,
  dueMessages,
  forgetMessages,
  insertMessages,
  isReplaced,
  retryMessage,
} from '../entities/push-message.ts';
import { dropDevice } from './drop-device.ts';
import { post } from './post-push.ts';

/** Longer than all tries of one turn take: a sender that has not settled by then has died. */
const CLAIM_MS = 2 * MINUTE;
const MAX_REFUSAL_LENGTH = 300;

/** Tells the browsers of an account of what a mail of this kind says, in the caller's transaction. Mails without a topic, such as links, are never pushed. */
export async function pushTo(tx: PushContext, to: Recipient, kind: string, data: object): Promise<void> {
  const topic = topicOf(kind);
  if (topic === undefined || to.unpushedTopics.includes(topic)) return;
  await storeMessages(tx, await devicesOfAccount(tx.em, to.id), kind, data);
}

export async function storeMessages(tx: PushContext, devices: readonly PushDevice[], kind: string, data: object): Promise<void> {
  if (devices.length === 0) return;
  const now = tx.clock.now();
  const messages = devices.map(({ id: deviceId }) => {
    const id = newId('note', tx.clock);
    const sealed = seal(JSON.stringify(data), tx.providers.secrets.sealing, id);
    const life = { createdAt: now, expiresAt: endOfLife(topicOf(kind), now), failures: 0, nextTryAt: now };
    return { id, deviceId, kind, topic: pushTopicOf(kind, data), sealed, ...life };
  });
  await insertMessages(tx.em, messages);
  for (const { id } of messages) await tx.jobs.enqueue(tx.em, 'accounts.push-send', { id }, { key: id });
}

/** Sends one message. Does nothing for one that is not due, or that another worker sends. */
export async function sendPush(ctx: PushContext, id: string): Promise<void> {
  const em = ctx.em.fork();
  const now = ctx.clock.now();
  const message = await claimMessage(em, id, now, after(now, CLAIM_MS));
  if (!message) return;
  const device = await deviceWithId(em, message.deviceId);
  const account = device && (await openAccount(em, device.accountId));
  if (!account || message.expiresAt <= now || (await isReplaced(em, message))) return deleteMessage(em, id);
  const receipt = await send({ ...ctx, em }, { message, device, account });
  await inTransaction({ ...ctx, em: ctx.em.fork() }, (tx) => settle(tx, message, device, receipt));
}

interface Sending {
  message: PushMessage;
  device: PushDevice;
  account: Account;
}

/** A service that takes no longer message is given a shorter one at once. */
async function send(ctx: PushContext, { message, device, account }: Sending): Promise<Receipt> {
  const { sealing } = ctx.providers.secrets;
  const subscription = JSON.parse(unseal(device.sealed, sealing, device.id)) as PushSubscription;
  const notice = await write(ctx, message, account);
  const ttlSeconds = Math.floor((message.expiresAt.getTime() - ctx.clock.now().getTime()) / SECOND);
  const terms = { urgency: pushTermsOf(topicOf(message.kind)).urgency, topic: message.topic, ttlSeconds };
  let receipt: Receipt | undefined;
  for (const shorten of SHORTER) {
    receipt = await post(ctx, subscription, shorten(notice), terms);
    if (verdictOf(receipt.status, receipt.outcome === 'FORBIDDEN') !== 'SHORTER') break;
  }
  return receipt as Receipt;
}

/** In the language that the account has now, and by the operator's own text of the mail where there is one. */
async function write(ctx: PushContext, { id, kind, sealed, topic: tag }: PushMessage, { language }: Account): Promise<PushNotice> {
  const { brand, publicUrl, secrets } = ctx.providers;
  const data = { ...(JSON.parse(unseal(sealed, secrets.sealing, id)) as object), brand };
  const text = kind === TEST_KIND ? testText(language, brand) : await writeMail(ctx, kind, language, data);
  const settings = kind === TEST_KIND ? { url: `${publicUrl}/settings?tab=notifications` } : data;
  return noticeOf(text, { data: settings, publicUrl, lang: language, tag });
}

async function settle(tx: PushContext, message: PushMessage, device: PushDevice, { status, outcome, said, retryAfter }: Receipt) {
  const { id, kind, expiresAt } = message;
  const now = tx.clock.now();
  const verdict = verdictOf(status, outcome === 'FORBIDDEN');
  if (verdict === 'LATER') {
    const next = nextTryAt(message.failures + 1, now, retryAfterMs(retryAfter, now));
    if (next && next < expiresAt) return retryMessage(tx.em, id, message.failures + 1, next);
    tx.log.warn({ push: id, kind, status, said }, 'a message to a browser was given up: its push service did not take it in time');
  }
  await (verdict === 'TAKEN' ? deleteSent(tx.em, message) : deleteMessage(tx.em, id));
  if (verdict === 'TAKEN') await noteDelivered(tx.em, device.id, now);
  else if (verdict === 'GONE') await dropDevice(tx, device);
  else if (verdict !== 'LATER') {
    await noteRefused(tx.em, device.id, `${status ?? outcome}: ${said}`.slice(0, MAX_REFUSAL_LENGTH), now);
    const why = isSenderRefused(status) ? 'a push service does not take us as the sender' : 'a push service refused a message';
    tx.log.error({ push: id, device: device.id, kind, status, said }, why);
  }
}

/** Runs each minute: sends what is due again, or whose sender has died, and forgets what is over. */
export async function sweepPush(ctx: PushContext): Promise<void> {
  const now = ctx.clock.now();
  await forgetMessages(ctx.em, now);
  for await (const { id } of everyRow((cursor, limit) => dueMessages(ctx.em, now, cursor, limit)))
    await ctx.jobs.enqueue(ctx.em, 'accounts.push-send', { id }, { key: id });
}
