import { builder } from '../../builder.ts';
import { PLACE_SOURCES, type SeenExit, type ToldFault, tellFault } from '../domain/line-test.ts';
import { type LineTest, testProxyLine } from '../services/test-proxy-line.ts';
import { ProxyLineCheck } from './proxy-line-check.ts';
import { ProxyProtocol } from './proxy-batch.ts';

const ProxyExitPlaceSource = builder.enumType('ProxyExitPlaceSource', { values: PLACE_SOURCES });

const ProxyExitSeen = builder.objectRef<SeenExit>('ProxyExitSeen').implement({
  fields: (t) => ({
    address: t.exposeString('address'),
    country: t.exposeString('country', { nullable: true }),
    state: t.exposeString('state', { nullable: true }),
    city: t.exposeString('city', { nullable: true }),
    asn: t.exposeFloat('asn', { nullable: true }),
    carrier: t.exposeString('carrier', { nullable: true }),
  }),
});

const ProxyLineFault = builder.objectRef<ToldFault>('ProxyLineFault').implement({
  fields: (t) => ({
    code: t.exposeString('code'),
    message: t.exposeString('message'),
    hint: t.exposeString('hint', { nullable: true }),
    params: t.expose('params', { type: 'Params' }),
  }),
});

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
