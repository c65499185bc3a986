import { accountOf } from '#platform/context.ts';
import { builder } from '../../builder.ts';
import type { UsageHosts as Hosts } from '../../plans/domain/hosts-kept.ts';
import { chooseUsageHosts, usageHostsOf } from '../services/usage-hosts.ts';

const HostsKept = builder.enumType('HostsKept', {
  values: { PLAIN: { value: 'plain' }, HASHED: { value: 'hashed' }, OFF: { value: 'off' } } as const,
});

export const UsageHosts = builder.objectRef<Hosts>('UsageHosts').implement({
  fields: (t) => ({
    kept: t.expose('kept', { type: HostsKept }),
    allowed: t.expose('allowed', { type: [HostsKept] }),
    chosenAt: t.expose('chosenAt', { type: 'DateTime', nullable: true }),
  }),
});

builder.queryField('usageHosts', (t) =>
  t.field({
    type: UsageHosts,
    nullable: true,
    authScopes: { account: 'read' },
    resolve: (_root, _args, ctx) => usageHostsOf(ctx, accountOf(ctx)),
  }),
);

builder.mutationField('usageHostsChoose', (t) =>
  t.field({
    type: UsageHosts,
    authScopes: { session: 'team' },
    args: { kept: t.arg({ type: HostsKept, required: true }) },
    resolve: (_root, { kept }, ctx) => chooseUsageHosts(ctx, kept),
  }),
);
