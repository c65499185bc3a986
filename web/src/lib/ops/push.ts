// The browsers that show notifications of the account.
import { graphql, type ResultOf } from '../graphql.ts';

export const Push = graphql(`
  query Push {
    me {
      id
      push {
        key
        limit
        devices {
          id
          name
          endpointDigest
          isThisSession
          createdAt
          lastDeliveredAt
          refusedAt
        }
      }
    }
  }
`);

export type PushDevice = NonNullable<ResultOf<typeof Push>['me']>['push']['devices'][number];

export const PushDeviceAdd = graphql(`
  mutation PushDeviceAdd($input: PushDeviceInput!, $former: String) {
    pushDeviceAdd(input: $input, former: $former) {
      id
    }
  }
`);

export const PushDeviceRemove = graphql(`
  mutation PushDeviceRemove($id: ID!) {
    pushDeviceRemove(id: $id) {
      id
    }
  }
`);

export const PushDeviceTest = graphql(`
  mutation PushDeviceTest($id: ID!) {
    pushDeviceTest(id: $id) {
      id
    }
  }
`);
