import { builder } from '../../builder.ts';
import { type ChatIdentity, identityOfAccount } from '../entities/chat-identity.ts';
import { finishChat, startChat, unlinkChat } from '../services/chat.ts';
import type { NewSession as NewSessionValue } from '../services/open-session.ts';
import { AccountAccess } from './access.ts';
import { Account } from './account.ts';
import { NewSession } from './caller-identity.ts';

const ChatLink = builder
  .objectRef<ChatIdentity>('ChatLink')
  .implement({ fields: (t) => ({ name: t.exposeString('name'), linkedAt: t.expose('linkedAt', { type: 'DateTime' }) }) });

const ChatWalk = builder
  .objectRef<{ url: string; binding: string }>('ChatWalk')
  .implement({ inaccessible: true, fields: (t) => ({ url: t.exposeString('url'), binding: t.exposeString('binding') }) });

const ChatArrival = builder.objectRef<{ session: NewSessionValue | undefined }>('ChatArrival').implement({
  inaccessible: true,
  fields: (t) => ({ session: t.expose('session', { type: NewSession, nullable: true }) }),
});

builder.objectField(AccountAccess, 'chat', (t) =>
  t.field({ type: ChatLink, nullable: true, resolve: ({ id }, _, { em }) => identityOfAccount(em, id) }),
);

builder.queryField('chatPlatform', (t) =>
  t.string({ nullable: true, authScopes: { anyone: true }, resolve: (_, __, { providers }) => providers.chat?.name ?? null }),
);

builder.mutationFields((t) => ({
  chatUnlink: t.field({
    type: Account,
    authScopes: { session: true },
    args: { password: t.arg.string() },
    resolve: (_, { password }, ctx) => unlinkChat(ctx, password),
  }),
  chatStart: t.field({
    type: ChatWalk,
    inaccessible: true,
    authScopes: { anyone: true },
    args: { token: t.arg.string(), password: t.arg.string(), devices: t.arg.stringList() },
    resolve: (_, input, ctx) => startChat(ctx, input),
  }),
  chatFinish: t.field({
    type: ChatArrival,
    inaccessible: true,
    authScopes: { anyone: true },
    args: {
      state: t.arg.string({ required: true }),
      code: t.arg.string({ required: true }),
      binding: t.arg.string({ required: true }),
      token: t.arg.string(),
      devices: t.arg.stringList(),
    },
    resolve: async (_, input, ctx) => ({ session: await finishChat(ctx, input) }),
  }),
}));
