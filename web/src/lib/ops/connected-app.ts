import { graphql, type ResultOf } from '../graphql.ts';

export const ConnectedAppFields = graphql(`
  fragment ConnectedAppFields on ConnectedApp @_unmask {
    id
    name
    host
    scopes
    connectedAt
    renewedAt
    apiKey {
      id
      masked
    }
  }
`);

export type ConnectedApp = ResultOf<typeof ConnectedAppFields>;

export const ConnectedApps = graphql(
  `
    query ConnectedApps {
      me {
        id
        connectedApps {
          ...ConnectedAppFields
        }
      }
    }
  `,
  [ConnectedAppFields],
);

export const ConnectedAppRemove = graphql(`
  mutation ConnectedAppRemove($id: ID!) {
    connectedAppRemove(id: $id)
  }
`);
