import { builder } from '../../../builder.ts';
import { Money } from '../../ledger/graphql/money.ts';
import { FIGURE_STEPS } from '../domain/figure-spans.ts';
import {
  type FigurePoint as FigurePointRow,
  askedPeriod,
  type ProductFigures as ProductFiguresRow,
  figureSeries,
  productFigures,
} from '../services/figures.ts';

const FigureStep = builder.enumType('FigureStep', { values: FIGURE_STEPS });

const FigurePoint = builder.objectRef<FigurePointRow>('FigurePoint').implement({
  fields: (t) => ({
    from: t.expose('from', { type: 'Date' }),
    to: t.expose('to', { type: 'Date' }),
    revenue: t.expose('revenue', { type: Money }),
    cost: t.expose('cost', { type: Money, nullable: true }),
    margin: t.expose('margin', { type: Money, nullable: true }),
    recurring: t.expose('recurring', { type: Money }),
    customers: t.exposeInt('customers'),
    lost: t.exposeInt('lost'),
    churnBasisPoints: t.exposeInt('churnBasisPoints', { nullable: true }),
    perCustomer: t.expose('perCustomer', { type: Money, nullable: true }),
    bytes: t.expose('bytes', { type: 'Bytes' }),
  }),
});

const ProductFigures = builder.objectRef<ProductFiguresRow>('ProductFigures').implement({
  fields: (t) => ({
    seller: t.exposeString('seller'),
    product: t.exposeString('product'),
    revenue: t.expose('revenue', { type: Money }),
    cost: t.expose('cost', { type: Money, nullable: true }),
    margin: t.expose('margin', { type: Money, nullable: true }),
    marginBasisPoints: t.exposeInt('marginBasisPoints', { nullable: true }),
    costDays: t.exposeInt('costDays'),
    bytes: t.expose('bytes', { type: 'Bytes', nullable: true }),
    unitDays: t.exposeInt('unitDays', { nullable: true }),
  }),
});

builder.queryFields((t) => ({
  supportFigures: t.field({
    type: [FigurePoint],
    authScopes: { staff: 'finance_reports' },
    args: {
      from: t.arg({ type: 'Date' }),
      to: t.arg({ type: 'Date' }),
      step: t.arg({ type: FigureStep, required: true, defaultValue: 'MONTH' }),
    },
    resolve: (_, { step, ...asked }, ctx) => figureSeries(ctx, askedPeriod(ctx, asked, step), step),
  }),
  supportProductFigures: t.field({
    type: [ProductFigures],
    authScopes: { staff: 'finance_reports' },
    args: {
      from: t.arg({ type: 'Date' }),
      to: t.arg({ type: 'Date' }),
      step: t.arg({ type: FigureStep, required: true, defaultValue: 'MONTH' }),
    },
    resolve: (_, { step, ...asked }, ctx) => productFigures(ctx, askedPeriod(ctx, asked, step)),
  }),
}));
