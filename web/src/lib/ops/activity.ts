import { graphql, type ResultOf } from '../graphql.ts';

export const ActivityFields = graphql(`
  fragment ActivityFields on Activity @_unmask {
    id
    at
    type
    actor
    member
    address
    device
    subject
    details {
      name
      value
    }
  }
`);

export type Activity = ResultOf<typeof ActivityFields>;

export const ActivityPage = graphql(
  `
    query ActivityPage($after: ID) {
      me {
        id
        activity(first: 25, after: $after) {
          items {
            ...ActivityFields
          }
          next
        }
      }
    }
  `,
  [ActivityFields],
);

export const SupportActivityPage = graphql(
  `
    query SupportActivityPage($id: ID!, $after: ID) {
      supportAccount(id: $id) {
        id
        activity(first: 25, after: $after) {
          items {
            ...ActivityFields
          }
          next
        }
      }
    }
  `,
  [ActivityFields],
);
