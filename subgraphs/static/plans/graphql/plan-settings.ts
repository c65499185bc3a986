// Settings that owners change on their plans.
import { builder } from '../../builder.ts';
import { rotatePassword, setAllowedAddresses, setAutoReplace, setCredentials, setLabel } from '../services/plan-settings.ts';
import { StaticPlan } from './static-plan.ts';

builder.mutationFields((t) => ({
  staticPlanRotatePassword: t.field({
    type: StaticPlan,
    authScopes: { session: 'plans' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => rotatePassword(ctx, id),
  }),
  staticPlanSetCredentials: t.field({
    type: StaticPlan,
    authScopes: { session: 'plans' },
    args: { id: t.arg.id({ required: true }), username: t.arg.string(), password: t.arg.string() },
    resolve: (_root, input, ctx) => setCredentials(ctx, input),
  }),
  staticPlanSetAllowedAddresses: t.field({
    type: StaticPlan,
    authScopes: { session: 'plans' },
    args: { id: t.arg.id({ required: true }), addresses: t.arg.stringList({ required: true }) },
    resolve: (_root, { id, addresses }, ctx) => setAllowedAddresses(ctx, id, addresses),
  }),
  staticPlanSetAutoReplace: t.field({
    type: StaticPlan,
    authScopes: { session: 'plans' },
    args: { id: t.arg.id({ required: true }), autoReplace: t.arg.boolean({ required: true }) },
    resolve: (_root, { id, autoReplace }, ctx) => setAutoReplace(ctx, id, autoReplace),
  }),
  staticPlanSetLabel: t.field({
    type: StaticPlan,
    authScopes: { session: 'plans' },
    args: { id: t.arg.id({ required: true }), ip: t.arg.string({ required: true }), label: t.arg.string() },
    resolve: (_root, input, ctx) => setLabel(ctx, input),
  }),
}));
