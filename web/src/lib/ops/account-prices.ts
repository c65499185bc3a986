import { graphql, type ResultOf } from '../graphql.ts';

const AccountPriceParts = graphql(`
  fragment AccountPriceParts on AccountPrice @_unmask {
    id
    accountId
    item
    value
    costs
    from
    until
    setAt
    setBy
    reason
    endedAt
    state
    awaitsApprovalUntil
    lowersBasisPoints
    approvedBy
  }
`);
export type AccountPrice = ResultOf<typeof AccountPriceParts>;

export const AccountPrices = graphql(
  `
    query AccountPrices($accountId: ID!) {
      residential: supportResidentialAccountPrices(accountId: $accountId) {
        ...AccountPriceParts
      }
      static: supportStaticAccountPrices(accountId: $accountId) {
        ...AccountPriceParts
      }
      compute: supportComputeAccountPrices(accountId: $accountId) {
        ...AccountPriceParts
      }
    }
  `,
  [AccountPriceParts],
);

/** Of all accounts: what waits for a second member of staff. */
export const AccountPricesWaiting = graphql(
  `
    query AccountPricesWaiting {
      residential: supportResidentialAccountPricesWaiting {
        ...AccountPriceParts
      }
      static: supportStaticAccountPricesWaiting {
        ...AccountPriceParts
      }
      compute: supportComputeAccountPricesWaiting {
        ...AccountPriceParts
      }
    }
  `,
  [AccountPriceParts],
);

const RESIDENTIAL = {
  preview: graphql(`
    query ResidentialAccountPricePreview($accountId: ID!, $item: String!, $value: String!, $from: DateTime, $until: DateTime) {
      moments: supportResidentialAccountPricePreview(accountId: $accountId, item: $item, value: $value, from: $from, until: $until) {
        from
        value
      }
      lowering: supportResidentialAccountPriceLowering(item: $item, value: $value, from: $from, until: $until) {
        lowersBasisPoints
        aloneBasisPoints
        needsSecondPerson
      }
    }
  `),
  set: graphql(`
    mutation ResidentialAccountPriceSet(
      $accountId: ID!
      $item: String!
      $value: String!
      $from: DateTime
      $until: DateTime
      $reason: String!
      $running: Boolean!
      $tell: Boolean!
    ) {
      set: supportResidentialAccountPriceSet(
        accountId: $accountId
        item: $item
        value: $value
        from: $from
        until: $until
        reason: $reason
        running: $running
        tell: $tell
      ) {
        id
        awaitsApprovalUntil
      }
    }
  `),
  agree: graphql(`
    mutation ResidentialAccountPriceAgree($id: ID!) {
      agreed: supportResidentialAccountPriceAgree(id: $id) {
        id
      }
    }
  `),
  refuse: graphql(`
    mutation ResidentialAccountPriceRefuse($id: ID!) {
      refused: supportResidentialAccountPriceRefuse(id: $id) {
        id
      }
    }
  `),
  end: graphql(`
    mutation ResidentialAccountPriceEnd($id: ID!, $tell: Boolean!) {
      ended: supportResidentialAccountPriceEnd(id: $id, tell: $tell) {
        id
      }
    }
  `),
};

const STATIC = {
  preview: graphql(`
    query StaticAccountPricePreview($accountId: ID!, $item: String!, $value: String!, $from: DateTime, $until: DateTime) {
      moments: supportStaticAccountPricePreview(accountId: $accountId, item: $item, value: $value, from: $from, until: $until) {
        from
        value
      }
      lowering: supportStaticAccountPriceLowering(item: $item, value: $value, from: $from, until: $until) {
        lowersBasisPoints
        aloneBasisPoints
        needsSecondPerson
      }
    }
  `),
  set: graphql(`
    mutation StaticAccountPriceSet(
      $accountId: ID!
      $item: String!
      $value: String!
      $from: DateTime
      $until: DateTime
      $reason: String!
      $running: Boolean!
      $tell: Boolean!
    ) {
      set: supportStaticAccountPriceSet(
        accountId: $accountId
        item: $item
        value: $value
        from: $from
        until: $until
        reason: $reason
        running: $running
        tell: $tell
      ) {
        id
        awaitsApprovalUntil
      }
    }
  `),
  agree: graphql(`
    mutation StaticAccountPriceAgree($id: ID!) {
      agreed: supportStaticAccountPriceAgree(id: $id) {
        id
      }
    }
  `),
  refuse: graphql(`
    mutation StaticAccountPriceRefuse($id: ID!) {
      refused: supportStaticAccountPriceRefuse(id: $id) {
        id
      }
    }
  `),
  end: graphql(`
    mutation StaticAccountPriceEnd($id: ID!, $tell: Boolean!) {
      ended: supportStaticAccountPriceEnd(id: $id, tell: $tell) {
        id
      }
    }
  `),
};

const COMPUTE = {
  preview: graphql(`
    query ComputeAccountPricePreview($accountId: ID!, $item: String!, $value: String!, $from: DateTime, $until: DateTime) {
      moments: supportComputeAccountPricePreview(accountId: $accountId, item: $item, value: $value, from: $from, until: $until) {
        from
        value
      }
      lowering: supportComputeAccountPriceLowering(item: $item, value: $value, from: $from, until: $until) {
        lowersBasisPoints
        aloneBasisPoints
        needsSecondPerson
      }
    }
  `),
  set: graphql(`
    mutation ComputeAccountPriceSet(
      $accountId: ID!
      $item: String!
      $value: String!
      $from: DateTime
      $until: DateTime
      $reason: String!
      $running: Boolean!
      $tell: Boolean!
    ) {
      set: supportComputeAccountPriceSet(
        accountId: $accountId
        item: $item
        value: $value
        from: $from
        until: $until
        reason: $reason
        running: $running
        tell: $tell
      ) {
        id
        awaitsApprovalUntil
      }
    }
  `),
  agree: graphql(`
    mutation ComputeAccountPriceAgree($id: ID!) {
      agreed: supportComputeAccountPriceAgree(id: $id) {
        id
      }
    }
  `),
  refuse: graphql(`
    mutation ComputeAccountPriceRefuse($id: ID!) {
      refused: supportComputeAccountPriceRefuse(id: $id) {
        id
      }
    }
  `),
  end: graphql(`
    mutation ComputeAccountPriceEnd($id: ID!, $tell: Boolean!) {
      ended: supportComputeAccountPriceEnd(id: $id, tell: $tell) {
        id
      }
    }
  `),
};

/** The operations of each seller. */
export const ACCOUNT_PRICE_OPS = { residential: RESIDENTIAL, static: STATIC, compute: COMPUTE };
export type PriceSeller = keyof typeof ACCOUNT_PRICE_OPS;
