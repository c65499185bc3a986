import { builder } from '../../builder.ts';
import { OperatingSystem } from '../../catalogue/graphql/operating-system.ts';
import { VpsPlanCode } from '../../catalogue/graphql/vps-plan.ts';
import { type VpsLocation as VpsLocationShape, vpsLocations } from '../services/vps-stock.ts';

const VpsLocation = builder.objectRef<VpsLocationShape>('VpsLocation').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    plans: t.expose('plans', { type: [VpsPlanCode] }),
  }),
});

builder.queryField('vpsLocations', (t) =>
  t.field({
    nullable: true,
    type: [VpsLocation],
    authScopes: { anyone: true },
    args: { os: t.arg({ type: OperatingSystem }), extraIpv4: t.arg.int({ defaultValue: 0 }) },
    resolve: (_root, { os, extraIpv4 }, ctx) => vpsLocations(ctx, { os: os ?? null, extraIpv4: extraIpv4 ?? 0 }),
  }),
);
