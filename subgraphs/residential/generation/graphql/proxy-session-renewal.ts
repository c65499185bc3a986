import { builder } from '../../builder.ts';
import { ResidentialPlan } from '../../plans/graphql/residential-plan.ts';
import { type SessionRenewal, renewSession } from '../services/renew-session.ts';

const ProxySessionRenewal = builder.objectRef<SessionRenewal>('ProxySessionRenewal').implement({
  fields: (t) => ({
    plan: t.expose('plan', { type: ResidentialPlan }),
    session: t.exposeString('session'),
    renewed: t.exposeInt('renewed'),
  }),
});

builder.mutationField('proxySessionRenew', (t) =>
  t.field({
    type: ProxySessionRenewal,
    authScopes: { account: 'generate' },
    args: { planId: t.arg.id({ required: true }), session: t.arg.string({ required: true }) },
    resolve: (_root, { planId, session }, ctx) => renewSession(ctx, planId, session),
  }),
);
