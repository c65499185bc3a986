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

export const ResidentialPlanExplanation = graphql(`
  query ResidentialPlanExplanation($id: ID!, $from: DateTime!, $to: DateTime!) {
    residentialPlan(id: $id) {
      id
      explanation(from: $from, to: $to) {
        bytes
        bytesBefore
        hosts {
          kept
        }
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
