import { graphql, type ResultOf } from '../graphql.ts';

const CountFields = graphql(`
  fragment CountFields on StaticInventoryCounts @_unmask {
    total
    free
    held
    heldUnpaid
    sold
    resting
    reserved
    retired
  }
`);

export type InventoryCounts = ResultOf<typeof CountFields>;

export const SupportStaticInventory = graphql(
  `
    query SupportStaticInventory {
      supportStaticInventory {
        product {
          id
          name
        }
        counts {
          ...CountFields
        }
      }
    }
  `,
  [CountFields],
);

export const SupportStaticSubnets = graphql(
  `
    query SupportStaticSubnets($productId: ID!) {
      supportStaticSubnets(productId: $productId) {
        network
        locations
        counts {
          ...CountFields
        }
      }
    }
  `,
  [CountFields],
);

export const SupportStaticAddresses = graphql(`
  query SupportStaticAddresses($search: String, $state: StaticInventoryState, $page: Int!) {
    supportStaticAddresses(search: $search, state: $state, page: $page, limit: 50) {
      items {
        ip
        port
        productId
        location
        state
        note
        planId
        accountId
        restsUntil
        failing
      }
      total
      page
      pageCount
    }
  }
`);

export type InventoryAddress = ResultOf<typeof SupportStaticAddresses>['supportStaticAddresses']['items'][number];

export const SupportStaticHolders = graphql(`
  query SupportStaticHolders($ip: String!) {
    supportStaticHolders(ip: $ip) {
      planId
      accountId
      startedAt
      endedAt
    }
  }
`);

export const SupportStaticImport = graphql(`
  mutation SupportStaticImport($csv: String!) {
    supportStaticImport(csv: $csv) {
      loaded
      problems {
        line
        reason
        reasonCode
        params
      }
    }
  }
`);

export const SupportStaticAddressesChange = graphql(`
  mutation SupportStaticAddressesChange($addresses: [String!]!, $deed: StaticInventoryDeed!, $note: String) {
    supportStaticAddressesChange(addresses: $addresses, deed: $deed, note: $note) {
      changed
      refused {
        ip
        reason
        reasonCode
        params
      }
    }
  }
`);

export const SupportStaticAddressesExchange = graphql(`
  mutation SupportStaticAddressesExchange($addresses: [String!]!) {
    supportStaticAddressesExchange(addresses: $addresses) {
      changed
      refused {
        ip
        reason
        reasonCode
        params
      }
    }
  }
`);
