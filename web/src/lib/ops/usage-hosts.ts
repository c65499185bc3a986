// How hosts that were reached are kept with counted bytes.
import { graphql, type ResultOf } from '../graphql.ts';

export const UsageHostsFields = graphql(`
  fragment UsageHostsFields on UsageHosts @_unmask {
    kept
    allowed
    chosenAt
  }
`);

export type UsageHosts = ResultOf<typeof UsageHostsFields>;

export const UsageHostsKept = graphql(
  `
    query UsageHostsKept {
      usageHosts {
        ...UsageHostsFields
      }
    }
  `,
  [UsageHostsFields],
);

export const UsageHostsChoose = graphql(
  `
    mutation UsageHostsChoose($kept: HostsKept!) {
      usageHostsChoose(kept: $kept) {
        ...UsageHostsFields
      }
    }
  `,
  [UsageHostsFields],
);
