// Incidents and maintenance on the status page, as staff manage them.
import { graphql, type ResultOf } from '../graphql.ts';

export const SupportIncidents = graphql(`
  query SupportIncidents($open: Boolean) {
    supportIncidents(open: $open) {
      id
      kind
      components
      impact
      title {
        en
        de
      }
      beginsAt
      endsAt
      resolvedAt
      updates {
        id
        step
        at
        text {
          en
          de
        }
      }
    }
  }
`);

export type IncidentWithUpdates = ResultOf<typeof SupportIncidents>['supportIncidents'][number];

export const SupportIncidentOpen = graphql(`
  mutation SupportIncidentOpen($input: SupportIncidentInput!) {
    supportIncidentOpen(input: $input) {
      id
    }
  }
`);

export const SupportIncidentUpdate = graphql(`
  mutation SupportIncidentUpdate($id: ID!, $step: IncidentStep!, $text: IncidentTextInput!) {
    supportIncidentUpdate(id: $id, step: $step, text: $text) {
      id
    }
  }
`);
