// One message to one push service: encrypted for the browser alone (RFC 8291), signed as ours (RFC 8292), by the library web-push. The request itself goes the way
// of webhooks, whose guard judges the address; the library would dial any.
import webPush from 'web-push';
import type { Receipt } from '../../webhooks/providers/receivers.ts';
import type { PushContext } from '../context.ts';
import { type PushNotice, payloadOf } from '../domain/push-notice.ts';
import type { Urgency } from '../domain/push-terms.ts';
import type { PushSubscription } from '../domain/subscription.ts';
import { openPushKey } from './push-key.ts';

interface PostTerms {
  urgency: Urgency;
  topic: string;
  ttlSeconds: number;
}

export async function post(
  ctx: PushContext,
  { endpoint, p256dh, auth }: PushSubscription,
  notice: PushNotice,
  { urgency, topic, ttlSeconds }: PostTerms,
): Promise<Receipt> {
  const { publicKey, privateKey } = await openPushKey(ctx);
  const { receivers, supportEmail } = ctx.providers;
  const encoding = webPush.supportedContentEncodings.AES_128_GCM;
  const { cipherText } = webPush.encrypt(p256dh, auth, payloadOf(notice), encoding);
  const { origin } = new URL(endpoint);
  // For twelve hours by the time of the system, as the library has it: the token is for a server elsewhere.
  const { Authorization } = webPush.getVapidHeaders(origin, `mailto:${supportEmail}`, publicKey, privateKey, encoding);
  return receivers.deliver({
    url: endpoint,
    body: cipherText,
    headers: {
      authorization: Authorization,
      'content-type': 'application/octet-stream',
      'content-encoding': encoding,
      ttl: String(ttlSeconds),
      urgency,
      topic,
    },
  });
}
