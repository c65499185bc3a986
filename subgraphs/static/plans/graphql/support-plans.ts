// Support reads an account's static plans, and resets their passwords.
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
  // It answers with the id only: a plan has the password, which support may not read.
  t.id({
    authScopes: { staff: 'access' },
    args: { planId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_root, input, ctx) => rotateForSupport(ctx, input),
  }),
);
