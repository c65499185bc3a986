// What the palette finds by words that somebody has typed.
import { graphql } from '../graphql.ts';

export const Found = graphql(`
  query Found($words: String!, $bills: Boolean!) {
    me {
      id
      orderPage(first: 4, search: $words) @include(if: $bills) {
        items {
          id
          title
        }
      }
      invoicePage(first: 4, search: $words) @include(if: $bills) {
        items {
          id
          number
          orderId
        }
      }
    }
    isp: staticPlans(kind: ISP, limit: 4, search: $words) {
      items {
        id
        productName
        quantity
      }
    }
    datacenter: staticPlans(kind: DATACENTER, limit: 4, search: $words) {
      items {
        id
        productName
        quantity
      }
    }
    proxyUsers(search: $words, first: 4) {
      id
      planId
      name
      username
    }
  }
`);
