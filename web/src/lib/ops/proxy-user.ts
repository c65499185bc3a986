// Proxy users of a plan, who share its bytes with their own credentials.
import { graphql, type ResultOf } from '../graphql.ts';

const ProxyUserFields = graphql(`
  fragment ProxyUserFields on ProxyUser @_unmask {
    id
    name
    username
    state
    resumesAt
    dailyLimitBytes
    monthlyLimitBytes
    totalLimitBytes
    countedBytes
    usedBytes
    usedTodayBytes
    usedMonthBytes
    countries
    targets
    clients
    usedAt
    pageMadeAt
  }
`);

export type ProxyUser = ResultOf<typeof ProxyUserFields>;

export const ProxyUsers = graphql(
  `
    query ProxyUsers($id: ID!, $search: String, $page: Int!) {
      residentialPlan(id: $id) {
        id
        users(search: $search, page: $page, limit: 25) {
          total
          page
          pageCount
          items {
            ...ProxyUserFields
          }
        }
      }
    }
  `,
  [ProxyUserFields],
);

/** Of a member of a team, who may have access to some alone. */
export const ReachedProxyUsers = graphql(
  `
    query ReachedProxyUsers {
      proxyUsers(search: "", first: 100) {
        ...ProxyUserFields
      }
    }
  `,
  [ProxyUserFields],
);

/** Queried only when the owner reveals or copies the password. */
export const ProxyUserPassword = graphql(`
  query ProxyUserPassword($id: ID!) {
    proxyUser(id: $id) {
      id
      password
    }
  }
`);

export const ProxyUserCreate = graphql(`
  mutation ProxyUserCreate($planId: ID!, $user: ProxyUserInput!) {
    proxyUsersCreate(planId: $planId, users: [$user]) {
      id
      name
    }
  }
`);

export const ProxyUserChange = graphql(`
  mutation ProxyUserChange($id: ID!, $input: ProxyUserInput!) {
    proxyUserChange(id: $id, input: $input) {
      id
      name
    }
  }
`);

export const ProxyUserResetPassword = graphql(`
  mutation ProxyUserResetPassword($id: ID!) {
    proxyUserResetPassword(id: $id) {
      id
    }
  }
`);

export const ProxyUserRenew = graphql(`
  mutation ProxyUserRenew($id: ID!) {
    proxyUserRenew(id: $id) {
      id
    }
  }
`);

export const ProxyUserRemove = graphql(`
  mutation ProxyUserRemove($id: ID!) {
    proxyUserRemove(id: $id) {
      id
    }
  }
`);

export const ProxyUserMakePage = graphql(`
  mutation ProxyUserMakePage($id: ID!) {
    proxyUserMakePage(id: $id) {
      url
    }
  }
`);

export const ProxyUserRevokePage = graphql(`
  mutation ProxyUserRevokePage($id: ID!) {
    proxyUserRevokePage(id: $id) {
      id
    }
  }
`);
