import { toOffer } from '#commerce/offers.ts';
import { builder } from '../../builder.ts';
import { ARRANGEMENT_KINDS, type Arrangement as ArrangementEntity, arrangementsOfAccount } from '../entities/arrangement.ts';
import { endArrangement, offerOf, recordArrangement } from '../services/arrangements.ts';
import { Account } from '../../identity/graphql/account.ts';
import { Offer } from '../../billing/ledger/graphql/money.ts';

const ArrangementKind = builder.enumType('ArrangementKind', { values: ARRANGEMENT_KINDS });

const Arrangement = builder.objectRef<ArrangementEntity>('Arrangement').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: ArrangementKind }),
    terms: t.exposeString('terms'),
    recordedAt: t.expose('recordedAt', { type: 'DateTime' }),
    validUntil: t.expose('validUntil', { type: 'DateTime', nullable: true }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
    offer: t.field({
      type: Offer,
      nullable: true,
      async resolve(arrangement, _, ctx) {
        const { terms } = await offerOf(ctx, arrangement);
        return terms && toOffer(terms, ctx.providers.secrets.offers);
      },
    }),
    orderId: t.id({ nullable: true, resolve: async (arrangement, _, ctx) => (await offerOf(ctx, arrangement)).orderId }),
  }),
});

builder.objectField(Account, 'arrangements', (t) =>
  t.field({ type: [Arrangement], authScopes: { session: 'billing' }, resolve: ({ id }, _, { em }) => arrangementsOfAccount(em, id) }),
);

builder.mutationFields((t) => ({
  supportArrangementRecord: t.field({
    type: Arrangement,
    authScopes: { staff: 'sales' },
    args: {
      accountId: t.arg.id({ required: true }),
      kind: t.arg({ type: ArrangementKind, required: true }),
      terms: t.arg.string({ required: true }),
      validUntil: t.arg({ type: 'DateTime' }),
      offer: t.arg.string(),
      requestId: t.arg.id(),
    },
    resolve: (_, input, ctx) => recordArrangement(ctx, input),
  }),
  supportArrangementEnd: t.field({
    type: Arrangement,
    authScopes: { staff: 'sales' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => endArrangement(ctx, id),
  }),
}));
