// The log of a plan's single requests.
import { graphql, type ResultOf } from '../graphql.ts';

export const RequestEntryFields = graphql(`
  fragment RequestEntryFields on RequestLogEntry @_unmask {
    id
    at
    durationMs
    host
    port
    status
    upBytes
    downBytes
    country
    state
    city
    session
    userId
    error {
      code
      message
      hint
    }
  }
`);

export type RequestEntry = ResultOf<typeof RequestEntryFields>;

export const PlanRequestLog = graphql(`
  query PlanRequestLog($id: ID!) {
    residentialPlan(id: $id) {
      id
      requestLog {
        mode
        kept
        missed
      }
    }
  }
`);

export type RequestLogState = ResultOf<typeof PlanRequestLog>['residentialPlan']['requestLog'];

export const PlanRequests = graphql(
  `
    query PlanRequests($id: ID!, $first: Int!, $after: ID, $filter: RequestLogFilter) {
      residentialPlan(id: $id) {
        id
        requestLog {
          entries(first: $first, after: $after, filter: $filter) {
            ...RequestEntryFields
          }
        }
      }
    }
  `,
  [RequestEntryFields],
);

export const RequestsLogged = graphql(
  `
    subscription RequestsLogged($planId: ID!, $filter: RequestLogFilter) {
      residentialRequestsLogged(planId: $planId, filter: $filter) {
        ...RequestEntryFields
      }
    }
  `,
  [RequestEntryFields],
);

export const PlanSetRequestLog = graphql(`
  mutation PlanSetRequestLog($id: ID!, $mode: RequestLogMode!) {
    residentialPlanSetRequestLog(id: $id, mode: $mode) {
      id
      requestLog {
        mode
        kept
        missed
      }
    }
  }
`);

export const PlanDeleteRequestLog = graphql(`
  mutation PlanDeleteRequestLog($id: ID!) {
    residentialPlanDeleteRequestLog(id: $id) {
      id
      requestLog {
        mode
        kept
        missed
      }
    }
  }
`);
