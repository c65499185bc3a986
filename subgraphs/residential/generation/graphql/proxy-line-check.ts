import { sentenceOf } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import { type LineCheck, type LineProblem, PROBLEMS, checkProxyLine } from '../services/check-proxy-line.ts';

const ProxyLineProblemCode = builder.enumType('ProxyLineProblemCode', { values: PROBLEMS });

const ProxyLineProblem = builder.objectRef<LineProblem>('ProxyLineProblem').implement({
  fields: (t) => ({
    code: t.expose('code', { type: ProxyLineProblemCode }),
    message: t.string({ resolve: ({ reason }) => sentenceOf(reason) }),
    reasonCode: t.string({ resolve: ({ reason }) => reason.code }),
    params: t.field({ type: 'Params', resolve: ({ reason }) => reason.params }),
  }),
});

export const ProxyLineCheck = builder.objectRef<LineCheck>('ProxyLineCheck').implement({
  fields: (t) => ({
    works: t.boolean({ resolve: ({ problems }) => problems.length === 0 }),
    problems: t.expose('problems', { type: [ProxyLineProblem] }),
    planId: t.exposeID('planId', { nullable: true }),
    scheme: t.string({ nullable: true, resolve: ({ line }) => line?.scheme ?? null }),
    host: t.string({ nullable: true, resolve: ({ line }) => line?.host ?? null }),
    port: t.int({ nullable: true, resolve: ({ line }) => line?.port ?? null }),
    username: t.string({ nullable: true, resolve: ({ line }) => line?.username ?? null }),
    country: t.string({ nullable: true, resolve: ({ target }) => target?.country ?? null }),
    exclude: t.string({ nullable: true, resolve: ({ target }) => target?.not ?? null }),
    state: t.string({ nullable: true, resolve: ({ target }) => target?.state ?? null }),
    city: t.string({ nullable: true, resolve: ({ target }) => target?.city ?? null }),
    session: t.string({ nullable: true, resolve: ({ target }) => target?.session ?? null }),
    turn: t.int({ nullable: true, resolve: ({ target }) => target?.turn ?? null }),
    sessionMinutes: t.int({ nullable: true, resolve: ({ target }) => target?.lifetime ?? null }),
  }),
});

builder.queryField('proxyLineCheck', (t) =>
  t.field({
    type: ProxyLineCheck,
    authScopes: { account: 'generate' },
    args: { line: t.arg.string({ required: true }) },
    resolve: (_root, { line }, ctx) => checkProxyLine(ctx, line),
  }),
);
