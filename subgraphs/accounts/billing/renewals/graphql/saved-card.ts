import { builder } from '../../../builder.ts';
import { type SavedCard as SavedCardShape, addCard, finishCard, makeDefault, removeCard, savedCards } from '../services/saved-cards.ts';
import { FIRST_METHOD } from '../../payments/providers/payment-methods.ts';
import { PaymentMethod } from '../../orders/graphql/order.ts';
import { Account } from '../../../identity/graphql/account.ts';

export const SavedCard = builder.objectRef<SavedCardShape>('SavedCard').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    brand: t.exposeString('brand'),
    lastFour: t.exposeString('lastFour'),
    expiryMonth: t.exposeInt('expiryMonth'),
    expiryYear: t.exposeInt('expiryYear'),
    method: t.field({ type: PaymentMethod, resolve: ({ method }) => method }),
    holder: t.string({ nullable: true, resolve: ({ holder }) => holder }),
    isDefault: t.exposeBoolean('isDefault'),
  }),
});

const CardSetup = builder.objectRef<{ url: string }>('CardSetup').implement({ fields: (t) => ({ url: t.exposeString('url') }) });

builder.objectField(Account, 'savedCards', (t) =>
  t.field({ type: [SavedCard], authScopes: { account: 'billing' }, resolve: ({ id }, _, ctx) => savedCards(ctx, id) }),
);

builder.mutationFields((t) => ({
  cardAdd: t.field({
    type: CardSetup,
    authScopes: { session: 'pay' },
    args: { method: t.arg({ type: PaymentMethod, required: true, defaultValue: FIRST_METHOD }) },
    resolve: (_root, { method }, ctx) => addCard(ctx, method),
  }),
  cardFinish: t.field({
    type: [SavedCard],
    authScopes: { session: 'pay' },
    args: { method: t.arg({ type: PaymentMethod, required: true }), returned: t.arg.string({ required: true }) },
    resolve: (_root, { method, returned }, ctx) => finishCard(ctx, method, returned),
  }),
  cardRemove: t.field({
    type: [SavedCard],
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => removeCard(ctx, id),
  }),
  cardMakeDefault: t.field({
    type: [SavedCard],
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => makeDefault(ctx, id),
  }),
}));
