// Support reads an account's residential plans, takes bytes back, and resets passwords.
import { builder } from '../../builder.ts';
import { plansOfAccount } from '../entities/plan.ts';
import { resetForSupport } from '../services/reset-for-support.ts';
import { withdrawPlan } from '../services/withdraw-plan.ts';
import { ResidentialPlan } from './residential-plan.ts';

builder.queryField('supportResidentialPlans', (t) =>
  t.field({
    type: [ResidentialPlan],
    authScopes: { staff: 'customers' },
    args: { accountId: t.arg.id({ required: true }) },
    resolve: (_root, { accountId }, { em, clock }) => plansOfAccount(em, accountId, clock.now()),
  }),
);

const SupportPlanWithdrawInput = builder.inputType('SupportPlanWithdrawInput', {
  fields: (t) => ({
    planId: t.id({ required: true }),
    leftBytes: t.field({ type: 'Bytes', required: true }),
    reason: t.string({ required: true }),
  }),
});

builder.mutationField('supportPlanWithdraw', (t) =>
  t.field({
    type: ResidentialPlan,
    authScopes: { staff: 'plan_withdraw' },
    args: { input: t.arg({ type: SupportPlanWithdrawInput, required: true }) },
    resolve: (_root, { input }, ctx) => withdrawPlan(ctx, input),
  }),
);

builder.mutationField('supportPlanResetAuthentication', (t) =>
  t.field({
    type: ResidentialPlan,
    authScopes: { staff: 'access' },
    args: { planId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_root, input, ctx) => resetForSupport(ctx, input),
  }),
);
