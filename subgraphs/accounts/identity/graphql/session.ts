import { builder } from '../../builder.ts';
import { deviceOf } from '../domain/device.ts';
import type { Session as SessionEntity } from '../entities/session.ts';
import { closeOwnSessions, closeSession } from '../services/sessions.ts';

export const Session = builder.objectRef<SessionEntity>('Session').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    current: t.boolean({ resolve: ({ id }, _, { viewer }) => viewer.kind === 'session' && viewer.sessionId === id }),
    device: t.string({ resolve: ({ userAgent }) => deviceOf(userAgent) }),
    address: t.exposeString('address'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    twoFactor: t.boolean({ resolve: ({ strongAt }) => strongAt !== null }),
  }),
});

builder.mutationFields((t) => ({
  sessionClose: t.id({
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => closeSession(ctx, id),
  }),
  sessionCloseAll: t.int({
    authScopes: { session: true },
    args: { exceptCurrent: t.arg.boolean({ required: true, defaultValue: false }) },
    resolve: (_, { exceptCurrent }, ctx) => closeOwnSessions(ctx, exceptCurrent),
  }),
}));
