import { builder } from '../builder.ts';
import { toLines } from '../domain/proxy-lines.ts';
import { type GeneratedBatch, generateProxies, previewProxy } from '../services/generate-proxies.ts';

const ProxySession = builder.enumType('ProxySession', { values: ['STICKY', 'ROTATING'] as const });
const ProxyProtocol = builder.enumType('ProxyProtocol', { values: ['HTTP', 'SOCKS5'] as const });

const ProxyTargetingInput = builder.inputType('ProxyTargetingInput', {
  fields: (t) => ({ pool: t.string({ required: true }), state: t.string(), city: t.string() }),
});

const ProxyGenerateInput = builder.inputType('ProxyGenerateInput', {
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

builder.queryFields((t) => ({
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
