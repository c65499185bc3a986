import { lastDays } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import { pageCountOf } from '#platform/numbered-page.ts';
import { builder } from '../../builder.ts';
import { ResidentialPlan } from '../../plans/graphql/residential-plan.ts';
import { USER_STATES, type ProxyUser as ProxyUserShape, countedBytes, resumesAt, stateOf, userBytes } from '../domain/proxy-user.ts';
import { daysOfUser } from '../entities/proxy-user.ts';
import {
  type UserPageAddress,
  changeProxyUser,
  createProxyUsers,
  findProxyUsers,
  listProxyUsers,
  makeUserPage,
  readProxyUser,
  readUserPage,
  removeProxyUser,
  renewProxyUser,
  resetUserPassword,
  revealUserPassword,
  revokeUserPage,
} from '../services/proxy-users.ts';

const MAX_DAYS = 90;

const ProxyUserState = builder.enumType('ProxyUserState', {
  values: USER_STATES,
});

/** When the limit that stops the user ends by itself; null: no limit stops it, or this one does not end. */
const resumption = (user: ProxyUserShape): Date | null => resumesAt(stateOf(user), user.asOf) ?? null;

const ProxyUserDay = builder.objectRef<{ day: string; upBytes: bigint; downBytes: bigint }>('ProxyUserDay').implement({
  fields: (t) => ({
    on: t.expose('day', { type: 'Date' }),
    upBytes: t.expose('upBytes', { type: 'Bytes' }),
    downBytes: t.expose('downBytes', { type: 'Bytes' }),
    totalBytes: t.field({ type: 'Bytes', resolve: ({ upBytes, downBytes }) => upBytes + downBytes }),
  }),
});

/** Use by UTC day, ascending, with zeros where nothing was used; the day of `asOf` is the last. */
async function daysOf(user: ProxyUserShape, last: number, em: Parameters<typeof daysOfUser>[0]) {
  if (last < 1 || last > MAX_DAYS)
    throw fail('parameter_invalid', { field: 'last', reason: because('number_out_of_range', { name: 'last', max: MAX_DAYS }) });
  const days = lastDays(user.asOf, last);
  const used = new Map((await daysOfUser(em, user.id, days[0] ?? '')).map((each) => [each.day, each]));
  return days.map((day) => used.get(day) ?? { day, upBytes: 0n, downBytes: 0n });
}

type FieldBuilder = PothosSchemaTypes.ObjectFieldBuilder<(typeof builder)['$inferSchemaTypes'], ProxyUserShape>;
/** The fields that both the owner and a reader of the user's page may see. */
const useFields = (t: FieldBuilder) => ({
  name: t.exposeString('name'),
  username: t.exposeString('username'),
  state: t.field({ type: ProxyUserState, resolve: stateOf }),
  resumesAt: t.field({ type: 'DateTime', nullable: true, resolve: resumption }),
  dailyLimitBytes: t.field({ type: 'Bytes', nullable: true, resolve: ({ limits }) => limits.daily }),
  monthlyLimitBytes: t.field({ type: 'Bytes', nullable: true, resolve: ({ limits }) => limits.monthly }),
  totalLimitBytes: t.field({ type: 'Bytes', nullable: true, resolve: ({ limits }) => limits.total }),
  countedBytes: t.field({ type: 'Bytes', resolve: countedBytes }),
  usedTodayBytes: t.expose('usedTodayBytes', { type: 'Bytes' }),
  usedMonthBytes: t.expose('usedMonthBytes', { type: 'Bytes' }),
});

const ProxyUser = builder.objectRef<ProxyUserShape>('ProxyUser').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    planId: t.exposeID('planId'),
    ...useFields(t),
    password: t.string({ resolve: (user, _args, ctx) => revealUserPassword(ctx, user) }),
    usedBytes: t.field({ type: 'Bytes', resolve: userBytes }),
    upBytes: t.expose('upBytes', { type: 'Bytes' }),
    downBytes: t.expose('downBytes', { type: 'Bytes' }),
    countries: t.stringList({ resolve: ({ rules }) => [...(rules.countries ?? [])] }),
    targets: t.stringList({ resolve: ({ rules }) => [...(rules.targets ?? [])] }),
    clients: t.stringList({ resolve: ({ rules }) => [...(rules.clients ?? [])] }),
    days: t.field({
      type: [ProxyUserDay],
      args: { last: t.arg.int({ required: true, defaultValue: 30 }) },
      resolve: (user, { last }, { em }) => daysOf(user, last, em),
    }),
    usedAt: t.expose('usedAt', { type: 'DateTime', nullable: true }),
    pageMadeAt: t.expose('pageMadeAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const ProxyUserPage = builder
  .objectRef<{ items: ProxyUserShape[]; total: number; page: number; pageCount: number }>('ProxyUserPage')
  .implement({
    fields: (t) => ({
      items: t.expose('items', { type: [ProxyUser] }),
      total: t.exposeInt('total'),
      page: t.exposeInt('page'),
      pageCount: t.exposeInt('pageCount'),
    }),
  });

builder.objectFields(ResidentialPlan, (t) => ({
  users: t.field({
    type: ProxyUserPage,
    args: {
      search: t.arg.string(),
      page: t.arg.int({ required: true, defaultValue: 1 }),
      limit: t.arg.int({ required: true, defaultValue: 25 }),
    },
    async resolve(plan, { search, page, limit }, ctx) {
      const { users: items, total } = await listProxyUsers(ctx, plan, { search, page, limit });
      return { items, total, page, pageCount: pageCountOf(total, limit) };
    },
  }),
}));

const ProxyUserAddress = builder.objectRef<UserPageAddress>('ProxyUserAddress').implement({
  fields: (t) => ({ url: t.exposeString('url'), user: t.expose('user', { type: ProxyUser }) }),
});

/** What a reader of the user's page may see: no password, and no name of the account. */
const ProxyUserUse = builder.objectRef<ProxyUserShape>('ProxyUserUse').implement({
  inaccessible: true,
  fields: (t) => ({
    ...useFields(t),
    days: t.field({ type: [ProxyUserDay], resolve: (user, _args, { em }) => daysOf(user, 30, em) }),
    asOf: t.expose('asOf', { type: 'DateTime' }),
  }),
});

const ProxyUserInput = builder.inputType('ProxyUserInput', {
  fields: (t) => ({
    name: t.string(),
    paused: t.boolean(),
    dailyLimitBytes: t.field({ type: 'Bytes' }),
    monthlyLimitBytes: t.field({ type: 'Bytes' }),
    totalLimitBytes: t.field({ type: 'Bytes' }),
    countries: t.stringList(),
    targets: t.stringList(),
    clients: t.stringList(),
  }),
});

builder.queryFields((t) => ({
  proxyUser: t.field({
    nullable: true,
    type: ProxyUser,
    authScopes: { account: 'read' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readProxyUser(ctx, id),
  }),
  proxyUsers: t.field({
    nullable: true,
    type: [ProxyUser],
    authScopes: { account: 'read' },
    args: { search: t.arg.string({ required: true }), first: t.arg.int({ required: true, defaultValue: 10 }) },
    resolve: (_root, { search, first }, ctx) => findProxyUsers(ctx, search, first),
  }),
  proxyUserUse: t.field({
    type: ProxyUserUse,
    inaccessible: true,
    authScopes: { system: true },
    args: { token: t.arg.string({ required: true }) },
    resolve: (_root, { token }, ctx) => readUserPage(ctx, token),
  }),
}));

builder.mutationFields((t) => ({
  proxyUsersCreate: t.field({
    type: [ProxyUser],
    authScopes: { account: 'generate' },
    args: { planId: t.arg.id({ required: true }), users: t.arg({ type: [ProxyUserInput], required: true }) },
    resolve: (_root, { planId, users }, ctx) => createProxyUsers(ctx, planId, users),
  }),
  proxyUserChange: t.field({
    type: ProxyUser,
    authScopes: { account: 'generate' },
    args: { id: t.arg.id({ required: true }), input: t.arg({ type: ProxyUserInput, required: true }) },
    resolve: (_root, { id, input }, ctx) => changeProxyUser(ctx, id, input),
  }),
  proxyUserResetPassword: t.field({
    type: ProxyUser,
    authScopes: { account: 'generate' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => resetUserPassword(ctx, id),
  }),
  proxyUserRenew: t.field({
    type: ProxyUser,
    authScopes: { account: 'generate' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => renewProxyUser(ctx, id),
  }),
  proxyUserRemove: t.field({
    type: ProxyUser,
    authScopes: { account: 'generate' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => removeProxyUser(ctx, id),
  }),
  proxyUserMakePage: t.field({
    type: ProxyUserAddress,
    authScopes: { account: 'generate' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => makeUserPage(ctx, id),
  }),
  proxyUserRevokePage: t.field({
    type: ProxyUser,
    authScopes: { account: 'generate' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => revokeUserPage(ctx, id),
  }),
}));
