// The nodes on which VPS run, for staff who operate them.
import { builder } from '../../builder.ts';
import { VpsPlanCode } from '../../catalogue/graphql/vps-plan.ts';
import type { PlacementRow } from '../entities/placement.ts';
import { type NodeView, addressesView, setNodeMaintenance, nodesView, remains } from '../services/infrastructure.ts';

const STAFF = { staff: 'machines' } as const;
const GB = 1_073_741_824;

const MachineRoom = builder.objectRef<{ cores: number; ramGb: number; storageGb: number }>('MachineRoom').implement({
  fields: (t) => ({ cores: t.exposeInt('cores'), ramGb: t.exposeInt('ramGb'), storageGb: t.exposeInt('storageGb') }),
});
const PlanRoom = builder.objectRef<NodeView['fits'][number]>('PlanRoom').implement({
  fields: (t) => ({ plan: t.expose('plan', { type: VpsPlanCode }), machines: t.exposeInt('machines') }),
});

const HypervisorNode = builder.objectRef<NodeView>('HypervisorNode').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    online: t.exposeBoolean('online'),
    inMaintenance: t.exposeBoolean('inMaintenance'),
    cores: t.exposeInt('cores'),
    ramGb: t.int({ resolve: ({ memoryBytes }) => Math.floor(memoryBytes / GB) }),
    storage: t.exposeString('storage', { nullable: true }),
    storageGb: t.int({ resolve: ({ diskBytes }) => Math.floor(diskBytes / GB) }),
    storageUsedGb: t.int({ resolve: ({ diskUsedBytes }) => Math.ceil(diskUsedBytes / GB) }),
    images: t.stringList({ resolve: ({ images }) => [...images] }),
    machines: t.int({ resolve: ({ accounts }) => [...accounts.values()].reduce((sum, count) => sum + count, 0) }),
    promised: t.field({ type: MachineRoom, resolve: ({ promised }) => promised }),
    left: t.field({ type: MachineRoom, resolve: ({ left }) => left }),
    fits: t.field({ type: [PlanRoom], resolve: ({ fits }) => fits }),
    failures: t.exposeInt('failures'),
    seenAt: t.expose('seenAt', { type: 'DateTime' }),
  }),
});

export const ServerAddresses = builder.objectRef<NonNullable<Awaited<ReturnType<typeof addressesView>>>>('ServerAddresses').implement({
  fields: (t) => ({
    first: t.exposeString('first'),
    last: t.exposeString('last'),
    prefixLength: t.exposeInt('bits'),
    gateway: t.exposeString('gateway'),
    total: t.exposeInt('total'),
    held: t.exposeInt('held'),
    resting: t.exposeInt('resting'),
  }),
});

const FailedPlacement = builder.objectRef<PlacementRow & { isGone: boolean }>('FailedPlacement').implement({
  fields: (t) => ({
    number: t.exposeInt('number'),
    node: t.exposeString('node'),
    serverId: t.exposeID('serverId'),
    failedAt: t.expose('failedAt', { type: 'DateTime', nullable: true }),
    trouble: t.exposeString('trouble', { nullable: true }),
    isGone: t.exposeBoolean('isGone'),
  }),
});

export const Infrastructure = builder.objectRef<Awaited<ReturnType<typeof nodesView>>>('Infrastructure').implement({
  fields: (t) => ({
    nodes: t.field({ type: [HypervisorNode], resolve: ({ nodes }) => nodes }),
    silence: t.exposeString('silence', { nullable: true }),
    filters: t.exposeBoolean('filters', { nullable: true }),
    addresses: t.field({ type: ServerAddresses, nullable: true, resolve: (_infrastructure, _args, ctx) => addressesView(ctx) }),
    failedPlacements: t.field({ type: [FailedPlacement], resolve: (_infrastructure, _args, ctx) => remains(ctx) }),
  }),
});

builder.queryField('supportInfrastructure', (t) =>
  t.field({ type: Infrastructure, authScopes: STAFF, resolve: (_root, _args, ctx) => nodesView(ctx) }),
);

builder.mutationField('supportNodeSetMaintenance', (t) =>
  t.boolean({
    authScopes: STAFF,
    args: { name: t.arg.string({ required: true }), inMaintenance: t.arg.boolean({ required: true }) },
    async resolve(_root, { name, inMaintenance }, ctx) {
      await setNodeMaintenance(ctx, name, inMaintenance);
      return true;
    },
  }),
);
