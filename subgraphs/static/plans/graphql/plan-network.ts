// Log-in by address: the networks that a plan lets in, and whether it asks for the password too.
import { builder } from '../../builder.ts';
import { type PlanNetwork, networksOfPlans } from '../entities/plan-network.ts';
import { addNetwork, removeNetwork, setLogIn } from '../services/plan-networks.ts';
import { StaticPlan, byPlan } from './static-plan.ts';

const StaticNetwork = builder.objectRef<PlanNetwork>('StaticNetwork').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    network: t.exposeString('network'),
    ip: t.exposeString('ip', { nullable: true }),
    note: t.exposeString('note'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    usedAt: t.expose('usedAt', { type: 'DateTime', nullable: true }),
  }),
});

builder.objectFields(StaticPlan, (t) => ({
  networks: t.loadableList({
    type: StaticNetwork,
    resolve: ({ id }) => id,
    async load(ids: string[], { em }) {
      const networks = byPlan(await networksOfPlans(em, ids));
      return ids.map((id) => networks.get(id) ?? []);
    },
  }),
  networksAndPassword: t.exposeBoolean('networksAndPassword'),
}));

const StaticNetworkInput = builder.inputType('StaticNetworkInput', {
  fields: (t) => ({
    network: t.string({ required: true }),
    ip: t.string(),
    note: t.string(),
  }),
});

builder.mutationFields((t) => ({
  staticNetworkAdd: t.field({
    type: StaticPlan,
    authScopes: { account: 'plans' },
    args: { planId: t.arg.id({ required: true }), input: t.arg({ type: StaticNetworkInput, required: true }) },
    resolve: (_root, { planId, input }, ctx) => addNetwork(ctx, planId, input),
  }),
  staticNetworkRemove: t.field({
    type: StaticPlan,
    authScopes: { account: 'plans' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => removeNetwork(ctx, id),
  }),
  staticPlanSetLogIn: t.field({
    type: StaticPlan,
    authScopes: { account: 'plans' },
    args: { id: t.arg.id({ required: true }), networksAndPassword: t.arg.boolean({ required: true }) },
    resolve: (_root, { id, networksAndPassword }, ctx) => setLogIn(ctx, id, networksAndPassword),
  }),
}));
