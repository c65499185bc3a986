import { defineEntity } from '@mikro-orm/core';

/** A walk to the chat platform and back. `sessionId`: it is to link that session's account; absent: it is a log-in. */
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
