// What support sees and resets of an account's static plans.
import { builder } from '../../builder.ts';
import { plansOfAccount } from '../entities/static-plan.ts';
import { rotateForSupport } from '../services/plan-settings.ts';
import { StaticPlan } from './static-plan.ts';

builder.queryField('supportStaticPlans', (t) =>
  t.field({
    type: [StaticPlan],
    authScopes: { staff: 'customers' },
    args: { accountId: t.arg.id({ required: true }) },
    resolve: (_root, { accountId }, { em }) => plansOfAccount(em, accountId),
  }),
);

builder.mutationField('supportStaticPlanRotatePassword', (t) =>
  // The id alone: a plan carries the password, which support does not see.
  t.id({
    authScopes: { staff: 'access' },
    args: { planId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_root, input, ctx) => rotateForSupport(ctx, input),
  }),
);
