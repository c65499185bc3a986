import { graphql } from '../graphql.ts';

export const ProxySessionRenew = graphql(`
  mutation ProxySessionRenew($planId: ID!, $session: String!) {
    proxySessionRenew(planId: $planId, session: $session) {
      renewed
    }
  }
`);
