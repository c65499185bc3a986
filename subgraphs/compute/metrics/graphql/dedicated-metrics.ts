import { SERVER_SIGHT, builder } from '../../builder.ts';
import { DedicatedServer } from '../../servers/graphql/dedicated-server.ts';
import { ownServer } from '../../servers/services/act-on-server.ts';
import type { MetalUse } from '../entities/metal-use.ts';
import { metalHistory, watchMetalUse } from '../services/metal-use.ts';
import { MetricsSpan } from './metrics.ts';

const DedicatedMetrics = builder.objectRef<MetalUse>('DedicatedMetrics').implement({
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime' }),
    cpuRatio: t.exposeFloat('cpuRatio', { nullable: true }),
    memoryRatio: t.exposeFloat('memoryRatio', { nullable: true }),
    diskRatio: t.exposeFloat('diskRatio', { nullable: true }),
    netInBytesPerSecond: t.exposeFloat('netInBytesPerSecond', { nullable: true }),
    netOutBytesPerSecond: t.exposeFloat('netOutBytesPerSecond', { nullable: true }),
    watts: t.exposeFloat('watts', { nullable: true }),
    inletCelsius: t.exposeFloat('inletCelsius', { nullable: true }),
  }),
});

builder.objectField(DedicatedServer, 'metrics', (t) =>
  t.field({
    type: [DedicatedMetrics],
    args: { span: t.arg({ type: MetricsSpan, required: true }) },
    resolve: (server, { span }, ctx) => metalHistory(ctx, server, span),
  }),
);

builder.subscriptionFields((t) => ({
  dedicatedServerMetricsChanged: t.field({
    type: DedicatedMetrics,
    authScopes: SERVER_SIGHT,
    args: { id: t.arg.id({ required: true }) },
    async subscribe(_root, { id }, ctx) {
      return watchMetalUse(ctx, await ownServer(ctx, id, 'DEDICATED'));
    },
    resolve: (use) => use as MetalUse,
  }),
}));
