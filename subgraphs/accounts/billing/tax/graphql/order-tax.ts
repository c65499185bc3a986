import { builder } from '../../../builder.ts';
import { Order } from '../../orders/graphql/order.ts';
import { EVIDENCE_KINDS, isContradicted } from '../domain/evidence.ts';
import { type OrderTax, type TaxEvidence as Piece, evidenceOfOrder, taxOfOrder } from '../entities/order-tax.ts';
import { checkEvidence } from '../services/order-tax.ts';
import { vatIdCheckWithId } from '../entities/vat-id.ts';
import { VatIdCheck } from './vat-id.ts';

const TaxEvidenceKind = builder.enumType('TaxEvidenceKind', { values: EVIDENCE_KINDS });

const TaxEvidence = builder.objectRef<Piece>('TaxEvidence').implement({
  fields: (t) => ({
    kind: t.expose('kind', { type: TaxEvidenceKind }),
    country: t.exposeString('country', { nullable: true }),
    detail: t.exposeString('detail', { nullable: true }),
    notedAt: t.expose('notedAt', { type: 'DateTime' }),
  }),
});

const OrderTaxRecord = builder.objectRef<OrderTax>('OrderTaxRecord').implement({
  fields: (t) => ({
    country: t.exposeString('country'),
    reverseCharge: t.exposeBoolean('reverseCharge'),
    vatIdCheck: t.field({
      type: VatIdCheck,
      nullable: true,
      resolve: ({ vatIdCheckId: id }, _, { em }) => (id ? vatIdCheckWithId(em, id) : null),
    }),
    evidence: t.field({ type: [TaxEvidence], resolve: ({ orderId }, _, { em }) => evidenceOfOrder(em, orderId) }),
    contradicted: t.boolean({ resolve: async ({ orderId }, _, { em }) => isContradicted(await evidenceOfOrder(em, orderId)) }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', nullable: true }),
    checkReason: t.exposeString('checkReason', { nullable: true }),
  }),
});

builder.objectField(Order, 'taxRecord', (t) =>
  t.field({
    type: OrderTaxRecord,
    nullable: true,
    authScopes: { staff: 'customers' },
    resolve: ({ id }, _, { em }) => taxOfOrder(em, id),
  }),
);

builder.mutationField('supportOrderEvidenceCheck', (t) =>
  t.field({
    type: Order,
    authScopes: { staff: 'tax' },
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_, input, ctx) => checkEvidence(ctx, input),
  }),
);
