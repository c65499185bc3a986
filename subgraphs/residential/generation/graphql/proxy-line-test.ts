import { declareLineTestParts } from '#lines/line-test-graph.ts';
import { tellFault } from '#lines/line-test.ts';
import { builder } from '../../builder.ts';
import { type LineTest, testProxyLine } from '../services/test-proxy-line.ts';
import { ProxyLineCheck } from './proxy-line-check.ts';
import { ProxyProtocol } from './proxy-batch.ts';

const { ProxyExitPlaceSource, ProxyExitSeen, ProxyLineFault } = declareLineTestParts(builder);

const ProxyLineTest = builder.objectRef<LineTest>('ProxyLineTest').implement({
  fields: (t) => ({
    works: t.boolean({ resolve: ({ sent }) => sent !== null && sent.fault === null }),
    check: t.expose('check', { type: ProxyLineCheck }),
    isSent: t.boolean({ resolve: ({ sent }) => sent !== null }),
    protocol: t.field({ type: ProxyProtocol, nullable: true, resolve: ({ sent }) => sent?.protocol }),
    connectMs: t.int({ nullable: true, resolve: ({ sent }) => sent?.connectMs }),
    firstByteMs: t.int({ nullable: true, resolve: ({ sent }) => sent?.firstByteMs }),
    status: t.int({ nullable: true, resolve: ({ sent }) => sent?.status }),
    exit: t.field({ type: ProxyExitSeen, nullable: true, resolve: ({ sent }) => sent?.exit }),
    placeSource: t.field({ type: ProxyExitPlaceSource, nullable: true, resolve: ({ sent }) => sent?.placeSource }),
    upBytes: t.field({ type: 'Bytes', resolve: ({ sent }) => BigInt(sent?.upBytes ?? 0) }),
    downBytes: t.field({ type: 'Bytes', resolve: ({ sent }) => BigInt(sent?.downBytes ?? 0) }),
    fault: t.field({ type: ProxyLineFault, nullable: true, resolve: ({ sent }) => (sent?.fault ? tellFault(sent.fault) : null) }),
  }),
});

builder.mutationField('proxyLineTest', (t) =>
  t.field({
    type: ProxyLineTest,
    authScopes: { account: 'generate' },
    args: { line: t.arg.string({ required: true }) },
    resolve: (_root, { line }, ctx) => testProxyLine(ctx, line),
  }),
);
