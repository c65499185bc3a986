// Coupons, as staff manage them.
import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

const CouponFields = graphql(
  `
    fragment CouponFields on Coupon @_unmask {
      id
      name
      state
      basisPoints
      amount {
        ...MoneyFields
      }
      periods
      items
      firstOrder
      minimum {
        ...MoneyFields
      }
      maxUses
      maxUsesOfAccount
      beginsAt
      endsAt
      endedAt
      uses
      given {
        ...MoneyFields
      }
    }
  `,
  [MoneyFields],
);

export const SupportCoupons = graphql(
  `
    query SupportCoupons($open: Boolean!) {
      supportCoupons(open: $open) {
        ...CouponFields
      }
    }
  `,
  [CouponFields],
);

export type Coupon = ResultOf<typeof SupportCoupons>['supportCoupons'][number];

export const SupportCouponCodes = graphql(`
  query SupportCouponCodes($id: ID!) {
    supportCoupon(id: $id) {
      id
      codes {
        code
        uses
        maxUses
      }
    }
  }
`);

export const SupportCouponOpen = graphql(`
  mutation SupportCouponOpen($input: SupportCouponInput!) {
    supportCouponOpen(input: $input) {
      id
    }
  }
`);

export const SupportCouponAddCodes = graphql(`
  mutation SupportCouponAddCodes($id: ID!, $codes: [String!]!, $generate: Int!, $usesOfCode: Int) {
    supportCouponAddCodes(id: $id, codes: $codes, generate: $generate, usesOfCode: $usesOfCode) {
      id
    }
  }
`);

export const SupportCouponEnd = graphql(`
  mutation SupportCouponEnd($id: ID!) {
    supportCouponEnd(id: $id) {
      id
    }
  }
`);
