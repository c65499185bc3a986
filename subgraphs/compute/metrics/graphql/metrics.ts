import { SERVER_SIGHT, builder } from '../../builder.ts';
import { USE_SPANS } from '../../machines/providers/hypervisor.ts';
import type { LiveUse } from '../providers/live-use.ts';
import { ownServer } from '../../servers/services/act-on-server.ts';
import { historyOf, watchMetrics } from '../services/watch-metrics.ts';
import { Vps } from '../../servers/graphql/vps.ts';

export const MetricsSpan = builder.enumType('MetricsSpan', { values: USE_SPANS });

const ServerMetrics = builder.objectRef<LiveUse>('ServerMetrics').implement({
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime' }),
    cpuRatio: t.exposeFloat('cpu'),
    memoryBytes: t.exposeFloat('memoryBytes'),
    memoryTotalBytes: t.exposeFloat('memoryTotalBytes'),
    diskReadBytesPerSecond: t.exposeFloat('diskReadBytes'),
    diskWriteBytesPerSecond: t.exposeFloat('diskWriteBytes'),
    netInBytesPerSecond: t.exposeFloat('netInBytes'),
    netOutBytesPerSecond: t.exposeFloat('netOutBytes'),
  }),
});

builder.objectField(Vps, 'metrics', (t) =>
  t.field({
    type: [ServerMetrics],
    args: { span: t.arg({ type: MetricsSpan, required: true }) },
    resolve: (server, { span }, ctx) => historyOf(ctx, server, span),
  }),
);

builder.subscriptionField('vpsMetricsChanged', (t) =>
  t.field({
    type: ServerMetrics,
    authScopes: SERVER_SIGHT,
    args: { id: t.arg.id({ required: true }) },
    async subscribe(_root, { id }, ctx) {
      return watchMetrics(ctx, await ownServer(ctx, id, 'VPS'));
    },
    resolve: (use) => use as LiveUse,
  }),
);
