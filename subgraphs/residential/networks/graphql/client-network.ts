import { builder } from '../../builder.ts';
import { ProxySession, ProxyTargetingInput } from '../../generation/graphql/proxy-batch.ts';
import { ResidentialPlan } from '../../plans/graphql/residential-plan.ts';
import { type ClientNetwork, isBoth, networksOfPlan } from '../entities/client-network.ts';
import { addNetwork, removeNetwork, setLogIn } from '../services/client-networks.ts';

const ClientNetworkType = builder.objectRef<ClientNetwork>('ClientNetwork').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    network: t.exposeString('network'),
    line: t.exposeString('line'),
    note: t.exposeString('note'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    usedAt: t.expose('usedAt', { type: 'DateTime', nullable: true }),
  }),
});

builder.objectFields(ResidentialPlan, (t) => ({
  networks: t.field({ type: [ClientNetworkType], resolve: ({ id }, _args, { em }) => networksOfPlan(em, id) }),
  networksAndPassword: t.boolean({ resolve: ({ id }, _args, { em }) => isBoth(em, id) }),
}));

const ClientNetworkInput = builder.inputType('ClientNetworkInput', {
  fields: (t) => ({
    network: t.string({ required: true }),
    targeting: t.field({ type: ProxyTargetingInput, required: true }),
    session: t.field({ type: ProxySession, required: true }),
    sessionMinutes: t.int({ required: true, defaultValue: 60 }),
    note: t.string(),
  }),
});

builder.mutationFields((t) => ({
  clientNetworkAdd: t.field({
    type: ResidentialPlan,
    authScopes: { account: 'plans' },
    args: { planId: t.arg.id({ required: true }), input: t.arg({ type: ClientNetworkInput, required: true }) },
    resolve: (_root, { planId, input }, ctx) => addNetwork(ctx, planId, input),
  }),
  clientNetworkRemove: t.field({
    type: ResidentialPlan,
    authScopes: { account: 'plans' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => removeNetwork(ctx, id),
  }),
  residentialPlanSetLogIn: t.field({
    type: ResidentialPlan,
    authScopes: { account: 'plans' },
    args: { id: t.arg.id({ required: true }), networksAndPassword: t.arg.boolean({ required: true }) },
    resolve: (_root, { id, networksAndPassword }, ctx) => setLogIn(ctx, id, networksAndPassword),
  }),
}));
