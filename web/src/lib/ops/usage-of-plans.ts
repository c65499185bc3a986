// What the bytes of all plans together were used for.
import { graphql, type ResultOf } from '../graphql.ts';

export const UsageOfPlans = graphql(`
  query UsageOfPlans($from: Date!, $to: Date!, $products: [ResidentialProductCode!], $hourly: Boolean!) {
    residentialUsageOfPlans(from: $from, to: $to, products: $products) {
      plans
      totalBytes
      totalBytesBefore
      days {
        on
        upBytes
        downBytes
        totalBytes
      }
      daysBefore {
        totalBytes
      }
      hours @include(if: $hourly) {
        at
        upBytes
        downBytes
        totalBytes
      }
      marks {
        kind
        at
        planId
        bytes
      }
    }
  }
`);

export type UsageMark = ResultOf<typeof UsageOfPlans>['residentialUsageOfPlans']['marks'][number];

export const UsageOfPlansBreakdown = graphql(`
  query UsageOfPlansBreakdown($from: Date!, $to: Date!, $products: [ResidentialProductCode!], $by: UsageDimension!, $limit: Int!) {
    residentialUsageOfPlans(from: $from, to: $to, products: $products) {
      breakdown(by: $by, limit: $limit) {
        totalBytes
        hosts {
          kept
        }
        shares {
          value
          upBytes
          downBytes
          totalBytes
        }
        others {
          values
          upBytes
          downBytes
          totalBytes
        }
      }
    }
  }
`);
