import { builder } from '../../../builder.ts';
import { type BillingDetails as BillingDetailsRow, detailsOfAccount } from '../entities/billing-details.ts';
import { setBillingDetails } from '../services/billing-details.ts';
import { Account } from '../../../identity/graphql/account.ts';

export const BillingDetails = builder.objectRef<BillingDetailsRow>('BillingDetails').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    address: t.exposeStringList('address'),
    country: t.exposeString('country'),
    taxId: t.exposeString('taxId', { nullable: true }),
  }),
});

builder.objectFields(Account, (t) => ({
  billingDetails: t.field({
    type: BillingDetails,
    nullable: true,
    authScopes: { account: 'billing' },
    resolve: ({ id: accountId }, _, { em }) => detailsOfAccount(em, accountId),
  }),
}));

const BillingDetailsInput = builder.inputType('BillingDetailsInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    address: t.stringList({ required: true }),
    country: t.string({ required: true }),
    taxId: t.string(),
  }),
});

builder.mutationField('billingDetailsSet', (t) =>
  t.field({
    type: BillingDetails,
    authScopes: { session: 'pay' },
    args: { input: t.arg({ type: BillingDetailsInput, required: true }) },
    resolve: (_, { input }, ctx) => setBillingDetails(ctx, input),
  }),
);
