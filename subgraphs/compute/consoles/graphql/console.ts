import { SESSION_ALONE, builder } from '../../builder.ts';
import { type OpenedConsole, consoleMayStay, openConsole, redeemConsole } from '../services/open-console.ts';
import { CONSOLE_KINDS } from '../entities/console-ticket.ts';

const ConsoleKind = builder.enumType('ConsoleKind', { values: CONSOLE_KINDS });

const Console = builder.objectRef<OpenedConsole>('Console').implement({
  fields: (t) => ({ path: t.exposeString('path'), expiresAt: t.expose('expiresAt', { type: 'DateTime' }) }),
});

const ConsoleLine = builder.objectRef<Awaited<ReturnType<typeof redeemConsole>>>('ConsoleLine').implement({
  inaccessible: true,
  fields: (t) => ({
    kind: t.expose('kind', { type: ConsoleKind }),
    url: t.exposeString('url'),
    authorization: t.exposeString('authorization'),
    cookie: t.string({ nullable: true, resolve: ({ cookie }) => cookie ?? null }),
    authorities: t.string({ nullable: true, resolve: ({ authorities }) => authorities ?? null }),
    user: t.exposeString('user'),
    ticket: t.exposeString('ticket'),
    password: t.exposeString('password', { nullable: true }),
    raw: t.boolean({ resolve: ({ raw }) => raw ?? false }),
  }),
});

builder.queryFields((t) => ({
  consoleMayStay: t.boolean({
    authScopes: { system: true },
    inaccessible: true,
    args: { serverId: t.arg.id({ required: true }) },
    resolve: (_root, { serverId }, ctx) => consoleMayStay(ctx, serverId),
  }),
}));

builder.mutationFields((t) => ({
  vpsOpenConsole: t.field({
    type: Console,
    authScopes: SESSION_ALONE,
    args: { id: t.arg.id({ required: true }), kind: t.arg({ type: ConsoleKind, required: true }) },
    resolve: (_root, { id, kind }, ctx) => openConsole(ctx, id, 'VPS', kind),
  }),
  dedicatedServerOpenConsole: t.field({
    type: Console,
    authScopes: SESSION_ALONE,
    args: { id: t.arg.id({ required: true }), kind: t.arg({ type: ConsoleKind, required: true, defaultValue: 'TEXT' }) },
    resolve: (_root, { id, kind }, ctx) => openConsole(ctx, id, 'DEDICATED', kind),
  }),
  consoleRedeem: t.field({
    type: ConsoleLine,
    authScopes: { system: true },
    inaccessible: true,
    args: { serverId: t.arg.id({ required: true }), ticket: t.arg.string({ required: true }), sessionId: t.arg.string({ required: true }) },
    resolve: (_root, input, ctx) => redeemConsole(ctx, input),
  }),
}));
