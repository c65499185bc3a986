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

/** How well lines of the plan's product were served within the last hour. */
export const PlaceQualities = graphql(`
  query PlaceQualities($planId: ID!) {
    residentialPlan(id: $planId) {
      id
      product {
        code
        placeQualities {
          country
          state
          city
          successRate
          firstByteMs
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

const LineCheckParts = graphql(`
  fragment LineCheckParts on ProxyLineCheck @_unmask {
    works
    problems {
      code
      message
      reasonCode
      params
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
`);

export const ProxyLineCheck = graphql(
  `
    query ProxyLineCheck($line: String!) {
      proxyLineCheck(line: $line) {
        ...LineCheckParts
      }
    }
  `,
  [LineCheckParts],
);

/** It sends a request through the line, which is counted. */
export const ProxyLineTest = graphql(
  `
    mutation ProxyLineTest($line: String!) {
      proxyLineTest(line: $line) {
        works
        check {
          ...LineCheckParts
        }
        isSent
        protocol
        connectMs
        firstByteMs
        exit {
          address
          country
          state
          city
          asn
          carrier
        }
        placeSource
        upBytes
        downBytes
        fault {
          code
          message
          hint
          params
        }
      }
    }
  `,
  [LineCheckParts],
);

export type LineCheck = ResultOf<typeof ProxyLineCheck>['proxyLineCheck'];
export type LineTest = ResultOf<typeof ProxyLineTest>['proxyLineTest'];
