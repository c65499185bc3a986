// What the bytes of a plan were used for.
import { graphql, type ResultOf } from '../graphql.ts';

export const ResidentialPlanHours = graphql(`
  query ResidentialPlanHours($id: ID!) {
    residentialPlan(id: $id) {
      id
      hours(last: 48) {
        at
        upBytes
        downBytes
        totalBytes
      }
    }
  }
`);

export const ResidentialPlanBreakdown = graphql(`
  query ResidentialPlanBreakdown($id: ID!, $by: UsageDimension!, $from: DateTime, $limit: Int!) {
    residentialPlan(id: $id) {
      id
      breakdown(by: $by, from: $from, limit: $limit) {
        totalBytes
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

export const ResidentialPlanExplanation = graphql(`
  query ResidentialPlanExplanation($id: ID!, $from: DateTime!, $to: DateTime!) {
    residentialPlan(id: $id) {
      id
      explanation(from: $from, to: $to) {
        bytes
        bytesBefore
        findings {
          by
          value
          isNew
          bytes
          bytesBefore
          addedBytes
        }
      }
    }
  }
`);

export type Finding = ResultOf<typeof ResidentialPlanExplanation>['residentialPlan']['explanation']['findings'][number];

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
