import { graphql, type ResultOf } from '../graphql.ts';

const SshKeyFields = graphql(`
  fragment SshKeyFields on SshKey @_unmask {
    id
    name
    publicKey
    fingerprint
    createdAt
  }
`);

export const SshKeys = graphql(
  `
    query SshKeys {
      sshKeys {
        ...SshKeyFields
      }
    }
  `,
  [SshKeyFields],
);

export type SshKey = ResultOf<typeof SshKeyFields>;

export const SshKeyAdd = graphql(`
  mutation SshKeyAdd($name: String, $publicKey: String!) {
    sshKeyAdd(name: $name, publicKey: $publicKey) {
      id
    }
  }
`);

export const SshKeyRename = graphql(`
  mutation SshKeyRename($id: ID!, $name: String!) {
    sshKeyRename(id: $id, name: $name) {
      id
      name
    }
  }
`);

export const SshKeyDelete = graphql(`
  mutation SshKeyDelete($id: ID!) {
    sshKeyDelete(id: $id)
  }
`);
