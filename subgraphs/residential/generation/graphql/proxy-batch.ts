import { LINE_PROTOCOLS } from '#lines/line-protocol.ts';
import { builder } from '../../builder.ts';
import { ResidentialPlan } from '../../plans/graphql/residential-plan.ts';
import { toLines } from '../domain/proxy-lines.ts';
import type { StoredBatch } from '../entities/proxy-batch.ts';
import { type GeneratedBatch, generateProxies, previewProxy } from '../services/generate-proxies.ts';
import { type BatchAddress, fetchBatch, listBatches, makeAddress, outdated, readList, revokeAddress } from '../services/proxy-batches.ts';
import { type Generation, SESSION_KINDS } from '../domain/generation.ts';

export const ProxySession = builder.enumType('ProxySession', { values: SESSION_KINDS });
export const ProxyProtocol = builder.enumType('ProxyProtocol', { values: LINE_PROTOCOLS });

export const ProxyTargetingInput = builder.inputType('ProxyTargetingInput', {
  fields: (t) => ({ pool: t.string({ required: true }), exclude: t.string(), state: t.string(), city: t.string() }),
});

export const ProxyGenerateInput = builder.inputType('ProxyGenerateInput', {
  fields: (t) => ({
    targeting: t.field({ type: ProxyTargetingInput, required: true }),
    session: t.field({ type: ProxySession, required: true }),
    sessionMinutes: t.int({ required: true, defaultValue: 60 }),
    protocol: t.field({ type: ProxyProtocol, required: true, defaultValue: 'HTTP' }),
    quantity: t.int({ required: true }),
  }),
});

const ProxyBatch = builder.objectRef<GeneratedBatch>('ProxyBatch').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    count: t.exposeInt('count'),
    lines: t.stringList({ resolve: ({ text }) => toLines(text) }),
    text: t.exposeString('text'),
  }),
});

type FieldBuilder<Shape> = PothosSchemaTypes.ObjectFieldBuilder<(typeof builder)['$inferSchemaTypes'], Shape>;
/** What lines are made from, of all that is stored with it. */
export const generationFields = <Shape extends { input: Generation }>(t: FieldBuilder<Shape>) => ({
  country: t.string({ resolve: ({ input }) => input.target.country }),
  exclude: t.string({ nullable: true, resolve: ({ input }) => input.target.not ?? null }),
  state: t.string({ nullable: true, resolve: ({ input }) => input.target.state ?? null }),
  city: t.string({ nullable: true, resolve: ({ input }) => input.target.city ?? null }),
  session: t.field({ type: ProxySession, resolve: ({ input }) => input.session }),
  sessionMinutes: t.int({ resolve: ({ input }) => input.sessionMinutes }),
  protocol: t.field({ type: ProxyProtocol, resolve: ({ input }) => input.protocol }),
});

const ProxyBatchSummary = builder.objectRef<StoredBatch>('ProxyBatchSummary').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    count: t.exposeInt('count'),
    ...generationFields(t),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    apiKeyId: t.exposeID('apiKeyId', { nullable: true }),
    outdated: t.string({ nullable: true, resolve: outdated }),
    addressMadeAt: t.expose('addressMadeAt', { type: 'DateTime', nullable: true }),
  }),
});

builder.objectFields(ResidentialPlan, (t) => ({
  batches: t.field({
    type: [ProxyBatchSummary],
    args: { first: t.arg.int({ required: true, defaultValue: 20 }), after: t.arg.id() },
    resolve: (plan, page, ctx) => listBatches(ctx, plan, page),
  }),
}));

const ProxyBatchAddress = builder.objectRef<BatchAddress>('ProxyBatchAddress').implement({
  fields: (t) => ({ url: t.exposeString('url'), batch: t.expose('batch', { type: ProxyBatchSummary }) }),
});

const ProxyList = builder
  .objectRef<{ text: string }>('ProxyList')
  .implement({ inaccessible: true, fields: (t) => ({ text: t.exposeString('text') }) });

builder.queryFields((t) => ({
  residentialProxyBatch: t.field({
    type: ProxyBatch,
    authScopes: { account: 'generate' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => fetchBatch(ctx, id),
  }),
  proxyList: t.field({
    type: ProxyList,
    inaccessible: true,
    authScopes: { system: true },
    args: { token: t.arg.string({ required: true }) },
    resolve: (_root, { token }, ctx) => readList(ctx, token),
  }),
  residentialProxies: t.field({
    type: ProxyBatch,
    authScopes: { account: 'generate' },
    args: { planId: t.arg.id({ required: true }), input: t.arg({ type: ProxyGenerateInput, required: true }) },
    resolve: (_root, { planId, input }, ctx) => generateProxies(ctx, planId, input),
  }),
  residentialProxyPreview: t.string({
    authScopes: { account: 'generate' },
    args: { planId: t.arg.id({ required: true }), input: t.arg({ type: ProxyGenerateInput, required: true }) },
    resolve: (_root, { planId, input }, ctx) => previewProxy(ctx, planId, input),
  }),
}));

builder.mutationFields((t) => ({
  proxyBatchMakeAddress: t.field({
    type: ProxyBatchAddress,
    authScopes: { session: 'generate' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => makeAddress(ctx, id),
  }),
  proxyBatchRevokeAddress: t.field({
    type: ProxyBatchSummary,
    authScopes: { session: 'generate' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => revokeAddress(ctx, id),
  }),
}));
