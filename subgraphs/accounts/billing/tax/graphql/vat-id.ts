import { builder } from '../../../builder.ts';
import { BillingDetails } from './billing-details.ts';
import { VAT_ID_STATES } from '../domain/tax-rule.ts';
import { type VatIdCheck as Check, vatIdCheckWithId } from '../entities/vat-id.ts';
import { taxPositionOf } from '../services/tax-position.ts';

const VatIdState = builder.enumType('VatIdState', { values: VAT_ID_STATES });

export const VatIdCheck = builder.objectRef<Check>('VatIdCheck').implement({
  fields: (t) => ({
    valid: t.exposeBoolean('valid'),
    checkedAt: t.expose('checkedAt', { type: 'DateTime' }),
    consultationNumber: t.exposeString('consultationNumber', { nullable: true }),
    name: t.exposeString('name', { nullable: true }),
    address: t.exposeString('address', { nullable: true }),
  }),
});

builder.objectFields(BillingDetails, (t) => ({
  vatIdState: t.field({
    type: VatIdState,
    nullable: true,
    resolve: async ({ accountId }, _, ctx) => (await taxPositionOf(ctx, accountId)).vatId?.state ?? null,
  }),
  vatIdCheck: t.field({
    type: VatIdCheck,
    nullable: true,
    resolve: async ({ accountId }, _, ctx) => {
      const { vatId } = await taxPositionOf(ctx, accountId);
      return vatId?.checkId ? vatIdCheckWithId(ctx.em, vatId.checkId) : null;
    },
  }),
  reverseCharge: t.boolean({ resolve: async ({ accountId }, _, ctx) => (await taxPositionOf(ctx, accountId)).reverseCharge }),
}));
