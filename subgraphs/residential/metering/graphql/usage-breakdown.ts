import { builder } from '../../builder.ts';
import { EXPLAINING, type UsageFinding } from '../domain/usage-explanation.ts';
import { DIMENSIONS, type UsageShare } from '../entities/usage-breakdown.ts';
import type { UsageBreakdown, UsageExplanation, UsageHour } from '../services/explain-usage.ts';
import { usageHostsOf } from '../services/usage-hosts.ts';
import { UsageHosts } from './usage-hosts.ts';

interface Counted {
  upBytes: bigint;
  downBytes: bigint;
}
const total = ({ upBytes, downBytes }: Counted) => upBytes + downBytes;

export const UsageDimension = builder.enumType('UsageDimension', { values: DIMENSIONS });
const ExplainingDimension = builder.enumType('UsageFindingKind', { values: EXPLAINING });

export const ResidentialUsageHour = builder.objectRef<UsageHour>('ResidentialUsageHour').implement({
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime' }),
    upBytes: t.expose('upBytes', { type: 'Bytes' }),
    downBytes: t.expose('downBytes', { type: 'Bytes' }),
    totalBytes: t.field({ type: 'Bytes', resolve: total }),
  }),
});

const ResidentialUsageShare = builder.objectRef<UsageShare>('ResidentialUsageShare').implement({
  fields: (t) => ({
    value: t.exposeString('value', { nullable: true }),
    upBytes: t.expose('upBytes', { type: 'Bytes' }),
    downBytes: t.expose('downBytes', { type: 'Bytes' }),
    totalBytes: t.field({ type: 'Bytes', resolve: total }),
  }),
});

const ResidentialUsageOthers = builder.objectRef<UsageBreakdown['others']>('ResidentialUsageOthers').implement({
  fields: (t) => ({
    values: t.exposeInt('values'),
    upBytes: t.expose('upBytes', { type: 'Bytes' }),
    downBytes: t.expose('downBytes', { type: 'Bytes' }),
    totalBytes: t.field({ type: 'Bytes', resolve: total }),
  }),
});

export const ResidentialUsageBreakdown = builder.objectRef<UsageBreakdown>('ResidentialUsageBreakdown').implement({
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime' }),
    to: t.expose('to', { type: 'DateTime' }),
    shares: t.expose('shares', { type: [ResidentialUsageShare] }),
    others: t.expose('others', { type: ResidentialUsageOthers }),
    hosts: t.field({ type: UsageHosts, resolve: ({ accountId }, _args, ctx) => usageHostsOf(ctx, accountId) }),
    totalBytes: t.field({
      type: 'Bytes',
      resolve: ({ shares, others }) => shares.reduce((sum, share) => sum + total(share), total(others)),
    }),
  }),
});

const ResidentialUsageFinding = builder.objectRef<UsageFinding>('ResidentialUsageFinding').implement({
  fields: (t) => ({
    by: t.expose('by', { type: ExplainingDimension }),
    value: t.exposeString('value'),
    isNew: t.exposeBoolean('isNew'),
    bytes: t.expose('bytes', { type: 'Bytes' }),
    bytesBefore: t.expose('bytesBefore', { type: 'Bytes' }),
    addedBytes: t.expose('addedBytes', { type: 'Bytes' }),
  }),
});

export const ResidentialUsageExplanation = builder.objectRef<UsageExplanation>('ResidentialUsageExplanation').implement({
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime' }),
    to: t.expose('to', { type: 'DateTime' }),
    bytes: t.expose('bytes', { type: 'Bytes' }),
    bytesBefore: t.expose('bytesBefore', { type: 'Bytes' }),
    findings: t.expose('findings', { type: [ResidentialUsageFinding] }),
    hosts: t.field({ type: UsageHosts, resolve: ({ accountId }, _args, ctx) => usageHostsOf(ctx, accountId) }),
  }),
});
