import { builder } from '../../../builder.ts';
import { Money } from '../../ledger/graphql/money.ts';
import type {
  RecapitulativeLine as RecapitulativeLineRow,
  TaxCorrection as TaxCorrectionRow,
  TaxLine as TaxLineRow,
} from '../services/tax-returns.ts';

export const TaxLine = builder.objectRef<TaxLineRow>('TaxLine').implement({
  fields: (t) => ({
    country: t.exposeString('country', { nullable: true }),
    basisPoints: t.exposeInt('basisPoints'),
    hasTaxId: t.exposeBoolean('hasTaxId'),
    documents: t.exposeInt('documents'),
    net: t.expose('net', { type: Money }),
    tax: t.expose('tax', { type: Money }),
    localNet: t.expose('localNet', { type: Money, nullable: true }),
    localTax: t.expose('localTax', { type: Money, nullable: true }),
  }),
});

export const TaxCorrection = builder.objectRef<TaxCorrectionRow>('TaxCorrection').implement({
  fields: (t) => ({
    quarter: t.exposeString('quarter'),
    country: t.exposeString('country'),
    documents: t.exposeInt('documents'),
    tax: t.expose('tax', { type: Money }),
    localTax: t.expose('localTax', { type: Money, nullable: true }),
  }),
});

export const RecapitulativeLine = builder.objectRef<RecapitulativeLineRow>('RecapitulativeLine').implement({
  fields: (t) => ({
    country: t.exposeString('country'),
    taxId: t.exposeString('taxId'),
    documents: t.exposeInt('documents'),
    net: t.expose('net', { type: Money }),
    localNet: t.expose('localNet', { type: Money, nullable: true }),
  }),
});
