import { graphql } from '../graphql.ts';

export const SessionFields = graphql(`
  fragment SessionFields on Session @_unmask {
    id
    current
    device
    address
    createdAt
    lastUsedAt
    twoFactor
  }
`);

export const Sessions = graphql(
  `
    query Sessions {
      me {
        id
        sessions {
          ...SessionFields
        }
      }
    }
  `,
  [SessionFields],
);

export const SessionClose = graphql(`
  mutation SessionClose($id: ID!) {
    sessionClose(id: $id)
  }
`);

export const SessionCloseAll = graphql(`
  mutation SessionCloseAll($exceptCurrent: Boolean!) {
    sessionCloseAll(exceptCurrent: $exceptCurrent)
  }
`);
