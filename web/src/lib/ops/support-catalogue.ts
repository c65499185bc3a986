import { graphql, type ResultOf } from '../graphql.ts';
import { RepricingParts } from './support-repricing.ts';

const CatalogueFieldParts = graphql(`
  fragment CatalogueFieldParts on CatalogueField @_unmask {
    item
    name
    kind
    value
    ahead {
      from
      value
    }
    history {
      id
      value
      from
      until
      setAt
      setBy
      reason
      state
    }
  }
`);

export type CatalogueField = ResultOf<typeof CatalogueFieldParts>;

export const SupportCatalogue = graphql(
  `
    query SupportCatalogue {
      residential: supportResidentialCatalogue {
        ...CatalogueFieldParts
      }
      static: supportStaticCatalogue {
        ...CatalogueFieldParts
      }
      compute: supportComputeCatalogue {
        ...CatalogueFieldParts
      }
      staticRepricings: supportStaticRepricings {
        ...RepricingParts
      }
      computeRepricings: supportComputeRepricings {
        ...RepricingParts
      }
    }
  `,
  [CatalogueFieldParts, RepricingParts],
);

const RESIDENTIAL = {
  preview: graphql(`
    query SupportResidentialPreview($item: String!, $field: String!, $value: String!, $from: DateTime, $until: DateTime) {
      moments: supportResidentialCataloguePreview(item: $item, field: $field, value: $value, from: $from, until: $until) {
        from
        value
      }
    }
  `),
  set: graphql(`
    mutation SupportResidentialSet($item: String!, $field: String!, $value: String!, $from: DateTime, $until: DateTime, $reason: String!) {
      set: supportResidentialCatalogueSet(item: $item, field: $field, value: $value, from: $from, until: $until, reason: $reason) {
        value
      }
    }
  `),
  withdraw: graphql(`
    mutation SupportResidentialWithdraw($id: ID!) {
      withdrawn: supportResidentialCatalogueWithdraw(id: $id) {
        value
      }
    }
  `),
};

const STATIC = {
  preview: graphql(`
    query SupportStaticPreview($item: String!, $field: String!, $value: String!, $from: DateTime, $until: DateTime) {
      moments: supportStaticCataloguePreview(item: $item, field: $field, value: $value, from: $from, until: $until) {
        from
        value
      }
    }
  `),
  set: graphql(`
    mutation SupportStaticSet($item: String!, $field: String!, $value: String!, $from: DateTime, $until: DateTime, $reason: String!) {
      set: supportStaticCatalogueSet(item: $item, field: $field, value: $value, from: $from, until: $until, reason: $reason) {
        value
      }
    }
  `),
  withdraw: graphql(`
    mutation SupportStaticWithdraw($id: ID!) {
      withdrawn: supportStaticCatalogueWithdraw(id: $id) {
        value
      }
    }
  `),
};

const COMPUTE = {
  preview: graphql(`
    query SupportComputePreview($item: String!, $field: String!, $value: String!, $from: DateTime, $until: DateTime) {
      moments: supportComputeCataloguePreview(item: $item, field: $field, value: $value, from: $from, until: $until) {
        from
        value
      }
    }
  `),
  set: graphql(`
    mutation SupportComputeSet($item: String!, $field: String!, $value: String!, $from: DateTime, $until: DateTime, $reason: String!) {
      set: supportComputeCatalogueSet(item: $item, field: $field, value: $value, from: $from, until: $until, reason: $reason) {
        value
      }
    }
  `),
  withdraw: graphql(`
    mutation SupportComputeWithdraw($id: ID!) {
      withdrawn: supportComputeCatalogueWithdraw(id: $id) {
        value
      }
    }
  `),
};

/** The operations of each seller. */
export const CATALOGUE_OPS = { residential: RESIDENTIAL, static: STATIC, compute: COMPUTE };
export type CatalogueSeller = keyof typeof CATALOGUE_OPS;
