import { builder } from '../../../builder.ts';
import { type SavedCard as SavedCardShape, addCard, makeDefault, removeCard, savedCards } from '../services/saved-cards.ts';
import { Account } from '../../../identity/graphql/account.ts';

export const SavedCard = builder.objectRef<SavedCardShape>('SavedCard').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    brand: t.exposeString('brand'),
    lastFour: t.exposeString('lastFour'),
    expiryMonth: t.exposeInt('expiryMonth'),
    expiryYear: t.exposeInt('expiryYear'),
    isDefault: t.exposeBoolean('isDefault'),
  }),
});

const CardSetup = builder.objectRef<{ url: string }>('CardSetup').implement({ fields: (t) => ({ url: t.exposeString('url') }) });

builder.objectField(Account, 'savedCards', (t) =>
  t.field({ type: [SavedCard], authScopes: { account: 'billing' }, resolve: ({ id }, _, ctx) => savedCards(ctx, id) }),
);

builder.mutationFields((t) => ({
  cardAdd: t.field({ type: CardSetup, authScopes: { session: true }, resolve: (_root, _args, ctx) => addCard(ctx) }),
  cardRemove: t.field({
    type: [SavedCard],
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => removeCard(ctx, id),
  }),
  cardMakeDefault: t.field({
    type: [SavedCard],
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => makeDefault(ctx, id),
  }),
}));
