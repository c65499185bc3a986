import { LINE_PROTOCOLS } from '#lines/line-protocol.ts';
import { declareLineTestParts } from '#lines/line-test-graph.ts';
import { tellFault } from '#lines/line-test.ts';
import { sentenceOf } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import { STATIC_LINE_PROBLEMS, type StaticLineProblem as LineProblem } from '../services/check-line.ts';
import { type StaticLineTest as LineTest, testStaticLine } from '../services/test-line.ts';

const { ProxyExitPlaceSource, ProxyExitSeen, ProxyLineFault } = declareLineTestParts(builder);
const ProxyProtocol = builder.enumType('ProxyProtocol', { values: LINE_PROTOCOLS });
const StaticLineProblemCode = builder.enumType('StaticLineProblemCode', { values: STATIC_LINE_PROBLEMS });

const StaticLineProblem = builder.objectRef<LineProblem>('StaticLineProblem').implement({
  fields: (t) => ({
    code: t.expose('code', { type: StaticLineProblemCode }),
    message: t.string({ resolve: ({ reason }) => sentenceOf(reason) }),
    reasonCode: t.string({ resolve: ({ reason }) => reason.code }),
    params: t.field({ type: 'Params', resolve: ({ reason }) => reason.params }),
  }),
});

const StaticLineTest = builder.objectRef<LineTest>('StaticLineTest').implement({
  fields: (t) => ({
    works: t.boolean({ resolve: ({ sent }) => sent !== null && sent.fault === null }),
    problems: t.field({ type: [StaticLineProblem], resolve: ({ check }) => check.problems }),
    planId: t.id({ nullable: true, resolve: ({ check }) => check.planId }),
    ip: t.string({ nullable: true, resolve: ({ check }) => check.address?.ip }),
    location: t.string({ nullable: true, resolve: ({ check }) => check.address?.location }),
    isSent: t.boolean({ resolve: ({ sent }) => sent !== null }),
    protocol: t.field({ type: ProxyProtocol, nullable: true, resolve: ({ sent }) => sent?.protocol }),
    connectMs: t.int({ nullable: true, resolve: ({ sent }) => sent?.connectMs }),
    firstByteMs: t.int({ nullable: true, resolve: ({ sent }) => sent?.firstByteMs }),
    status: t.int({ nullable: true, resolve: ({ sent }) => sent?.status }),
    exit: t.field({ type: ProxyExitSeen, nullable: true, resolve: ({ sent }) => sent?.exit }),
    placeSource: t.field({ type: ProxyExitPlaceSource, nullable: true, resolve: ({ sent }) => sent?.placeSource }),
    fault: t.field({ type: ProxyLineFault, nullable: true, resolve: ({ sent }) => (sent?.fault ? tellFault(sent.fault) : null) }),
  }),
});

builder.mutationField('staticLineTest', (t) =>
  t.field({
    type: StaticLineTest,
    authScopes: { account: 'generate' },
    args: { line: t.arg.string({ required: true }) },
    resolve: (_root, { line }, ctx) => testStaticLine(ctx, line),
  }),
);
