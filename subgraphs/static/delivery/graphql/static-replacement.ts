import { monthStart } from '#platform/clock.ts';
import { builder } from '../../builder.ts';
import type { StaticPlanRow } from '../../plans/entities/static-plan.ts';
import { StaticPlan, byPlan, idsOf } from '../../plans/graphql/static-plan.ts';
import { REPLACEMENT_ASKERS, REPLACEMENT_REASONS, allowedReplacements, nextMonthStart } from '../domain/replacement.ts';
import { type Replacement, type ReplacementPair, countedReplacements, doneReplacementsOf } from '../entities/replacement.ts';
import { confirmReplacement, prepareReplacement } from '../services/replace-addresses.ts';

const StaticReplacementReason = builder.enumType('StaticReplacementReason', { values: REPLACEMENT_REASONS });
const StaticReplacementAsker = builder.enumType('StaticReplacementAsker', { values: REPLACEMENT_ASKERS });

const StaticReplacementPair = builder.objectRef<ReplacementPair>('StaticReplacementPair').implement({
  fields: (t) => ({ gone: t.exposeString('gone'), came: t.exposeString('came'), location: t.exposeString('location') }),
});

const StaticReplacement = builder.objectRef<Replacement>('StaticReplacement').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    reason: t.field({ type: StaticReplacementReason, resolve: ({ reason }) => reason }),
    askedBy: t.field({ type: StaticReplacementAsker, resolve: ({ askedBy }) => askedBy }),
    pairs: t.field({ type: [StaticReplacementPair], resolve: ({ pairs }) => pairs }),
    counted: t.exposeInt('counted'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    doneAt: t.expose('doneAt', { type: 'DateTime', nullable: true }),
  }),
});

const StaticReplacementAllowance = builder
  .objectRef<{ allowed: number; used: number; left: number; resetsAt: Date }>('StaticReplacementAllowance')
  .implement({
    fields: (t) => ({
      allowed: t.exposeInt('allowed'),
      used: t.exposeInt('used'),
      left: t.exposeInt('left'),
      resetsAt: t.expose('resetsAt', { type: 'DateTime' }),
    }),
  });

builder.objectFields(StaticPlan, (t) => ({
  replacements: t.loadableList({
    type: StaticReplacement,
    resolve: ({ id }) => id,
    async load(ids: string[], { em }) {
      const replacements = byPlan(await doneReplacementsOf(em, ids));
      return ids.map((id) => replacements.get(id) ?? []);
    },
  }),
  replacementAllowance: t.loadable({
    type: StaticReplacementAllowance,
    resolve: (plan) => plan,
    async load(plans: StaticPlanRow[], { em, clock }) {
      const now = clock.now();
      const counted = await countedReplacements(em, idsOf(plans), monthStart(now));
      return plans.map(({ id, quantity }) => {
        const [allowed, used] = [allowedReplacements(quantity), counted.get(id) ?? 0];
        return { allowed, used, left: Math.max(0, allowed - used), resetsAt: nextMonthStart(now) };
      });
    },
  }),
}));

builder.mutationFields((t) => ({
  staticPlanReplacementPrepare: t.field({
    type: StaticReplacement,
    authScopes: { session: 'plans' },
    args: {
      id: t.arg.id({ required: true }),
      addresses: t.arg.stringList({ required: true }),
      reason: t.arg({ type: StaticReplacementReason, required: true }),
    },
    resolve: (_root, input, ctx) => prepareReplacement(ctx, input),
  }),
  staticPlanReplacementConfirm: t.field({
    type: StaticReplacement,
    authScopes: { session: 'plans' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => confirmReplacement(ctx, id),
  }),
}));
