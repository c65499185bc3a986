// The clusters of the hypervisor, for staff who operate them.
import { builder } from '../../builder.ts';
import { type ClusterWish, addCluster, changeCluster, listClusters, pauseCluster, removeCluster } from '../services/clusters.ts';
import { MAIN } from '../domain/cluster.ts';
import { addressesView } from '../services/infrastructure.ts';
import { Infrastructure, ServerAddresses } from './infrastructure.ts';

const STAFF = { staff: 'machines' } as const;

const HypervisorCluster = builder.objectRef<Awaited<ReturnType<typeof listClusters>>[number]>('HypervisorCluster').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    location: t.exposeString('location'),
    url: t.string({ resolve: ({ terms }) => terms.url }),
    ofSettings: t.boolean({ resolve: ({ name }) => name === MAIN }),
    paused: t.exposeBoolean('paused'),
    silentSince: t.expose('silentSince', { type: 'DateTime', nullable: true }),
    trouble: t.exposeString('trouble', { nullable: true }),
    machines: t.exposeInt('machines'),
    addresses: t.field({ type: ServerAddresses, nullable: true, resolve: ({ terms }, _args, ctx) => addressesView(ctx, terms) }),
  }),
});

builder.objectField(Infrastructure, 'clusters', (t) =>
  t.field({ type: [HypervisorCluster], resolve: (_infrastructure, _args, ctx) => listClusters(ctx) }),
);

const ClusterInput = builder.inputType('HypervisorClusterInput', {
  fields: (t) => ({
    url: t.string(),
    token: t.string(),
    authorities: t.string(),
    consoleUser: t.string(),
    consolePassword: t.string(),
    location: t.string(),
    addresses: t.string(),
    gateway: t.string(),
    bridge: t.string(),
    vlan: t.int(),
    backupStorage: t.string(),
    isoStorage: t.string(),
    snippets: t.string(),
  }),
});

/** Fields that are not given are left out. */
const wishOf = (input: typeof ClusterInput.$inferInput): ClusterWish =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null && value !== undefined && value !== ''));

builder.mutationFields((t) => ({
  supportClusterAdd: t.boolean({
    authScopes: STAFF,
    args: { name: t.arg.string({ required: true }), input: t.arg({ type: ClusterInput, required: true }) },
    async resolve(_root, { name, input }, ctx) {
      await addCluster(ctx, name, wishOf(input));
      return true;
    },
  }),
  supportClusterChange: t.boolean({
    authScopes: STAFF,
    args: { name: t.arg.string({ required: true }), input: t.arg({ type: ClusterInput, required: true }) },
    async resolve(_root, { name, input }, ctx) {
      await changeCluster(ctx, name, wishOf(input));
      return true;
    },
  }),
  supportClusterSetPaused: t.boolean({
    authScopes: STAFF,
    args: { name: t.arg.string({ required: true }), paused: t.arg.boolean({ required: true }) },
    async resolve(_root, { name, paused }, ctx) {
      await pauseCluster(ctx, name, paused);
      return true;
    },
  }),
  supportClusterRemove: t.boolean({
    authScopes: STAFF,
    args: { name: t.arg.string({ required: true }) },
    async resolve(_root, { name }, ctx) {
      await removeCluster(ctx, name);
      return true;
    },
  }),
}));
