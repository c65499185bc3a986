import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** A log-in flow through the chat platform. `sessionId`: it links that session's account; null: it is a log-in. */
export const ChatAttempt = defineEntity({
  name: 'ChatAttempt',
  tableName: 'chat_attempt',
  properties: (p) => ({
    stateHash: p.string().primary(),
    bindingHash: p.string(),
    verifier: p.blob().$type<Buffer>(),
    sessionId: p.string().nullable(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
  }),
});
export type ChatAttempt = InferEntity<typeof ChatAttempt>;

export async function insertChatAttempt(em: EntityManager, attempt: Omit<ChatAttempt, 'usedAt'>): Promise<void> {
  await em.insert(ChatAttempt, { ...attempt, usedAt: null });
}

/** Uses up a flow by the values that its browser has brought back, and returns it; null when it is unknown, expired or used. */
export async function takeChatAttempt(
  em: EntityManager,
  { stateHash, bindingHash, now }: { stateHash: string; bindingHash: string; now: Date },
): Promise<ChatAttempt | null> {
  const used = await em.nativeUpdate(ChatAttempt, { stateHash, bindingHash, usedAt: null, expiresAt: { $gt: now } }, { usedAt: now });
  return used === 1 ? em.fork().findOne(ChatAttempt, { stateHash }) : null;
}

export async function forgetChatAttempts(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(ChatAttempt, { expiresAt: { $lte: until } });
}
