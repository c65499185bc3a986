import { graphql, type ResultOf } from '../graphql.ts';

/** What the account has registered, and the keys that may be bound to it. */
export const RegisteredDocuments = graphql(`
  query RegisteredDocuments {
    registeredDocuments {
      hash
      name
      text
      registeredAt
    }
    me {
      id
      apiKeys {
        id
        masked
        status
        documentsOnly
      }
    }
  }
`);

export type RegisteredDocument = NonNullable<ResultOf<typeof RegisteredDocuments>['registeredDocuments']>[number];

export const RegisteredDocumentRemove = graphql(`
  mutation RegisteredDocumentRemove($hash: ID!) {
    registeredDocumentRemove(hash: $hash) {
      hash
    }
  }
`);

export const ApiKeySetDocumentsOnly = graphql(`
  mutation ApiKeySetDocumentsOnly($id: ID!, $documentsOnly: Boolean!) {
    apiKeySetDocumentsOnly(id: $id, documentsOnly: $documentsOnly) {
      id
      documentsOnly
    }
  }
`);
