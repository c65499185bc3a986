import webPush from 'web-push';
import { seal, unseal } from '#platform/sealing.ts';
import type { PushContext } from '../context.ts';
import { PUSH_KEY_ID, type PushKey, storePushKey, storedPushKey } from '../entities/push-key.ts';

/** The platform's key pair, made at the first question for it. */
async function pushKey(ctx: PushContext): Promise<PushKey> {
  const em = ctx.em.fork();
  const stored = await storedPushKey(em);
  if (stored) return stored;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const privateSealed = seal(privateKey, ctx.providers.secrets.sealing, PUSH_KEY_ID);
  await storePushKey(em, { publicKey, privateSealed, createdAt: ctx.clock.now() });
  const kept = await storedPushKey(em);
  if (!kept) throw new Error('The key pair for push services was not stored.');
  return kept;
}

/** What browsers subscribe to: `applicationServerKey`, in base64url. */
export const publicPushKey = async (ctx: PushContext): Promise<string> => (await pushKey(ctx)).publicKey;

export async function openPushKey(ctx: PushContext): Promise<{ publicKey: string; privateKey: string }> {
  const { publicKey, privateSealed } = await pushKey(ctx);
  return { publicKey, privateKey: unseal(privateSealed, ctx.providers.secrets.sealing, PUSH_KEY_ID) };
}
