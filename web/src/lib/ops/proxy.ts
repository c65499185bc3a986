import { graphql, type ResultOf } from '../graphql.ts';

/** Names only: with the states and cities of all countries the list would load too slowly. */
export const ProxyPools = graphql(`
  query ProxyPools {
    proxyPools {
      code
      name
      kind
    }
  }
`);

export const ProxyPlaces = graphql(`
  query ProxyPlaces {
    proxyPools {
      code
      states {
        code
        name
        cities {
          code
          name
        }
      }
    }
  }
`);

export const ProxyPreview = graphql(`
  query ProxyPreview($planId: ID!, $input: ProxyGenerateInput!) {
    residentialProxyPreview(planId: $planId, input: $input)
  }
`);

/** The lines come as one text, since thousands of JSON strings take longer to parse. */
export const Proxies = graphql(`
  query Proxies($planId: ID!, $input: ProxyGenerateInput!) {
    residentialProxies(planId: $planId, input: $input) {
      id
      count
      text
    }
  }
`);

export const ProxyLineCheck = graphql(`
  query ProxyLineCheck($line: String!) {
    proxyLineCheck(line: $line) {
      works
      problems {
        code
        message
      }
      planId
      scheme
      host
      port
      username
      country
      exclude
      state
      city
      session
      turn
      sessionMinutes
    }
  }
`);

export type LineCheck = ResultOf<typeof ProxyLineCheck>['proxyLineCheck'];
