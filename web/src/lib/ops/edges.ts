import { graphql, type ResultOf } from '#lib/graphql.ts';

export const SupportEdges = graphql(`
  query SupportEdges {
    supportEdges {
      id
      state
      own
      version
      seenAt
      connections
      tunnels
      todayBytes
      exitCount
      healthyExitCount
    }
  }
`);

export const SupportEdgeOne = graphql(`
  query SupportEdgeOne($id: ID!, $search: String) {
    supportEdge(id: $id) {
      id
      state
      own
      version
      enrolledAt
      seenAt
      startedAt
      drainingSince
      endpoints
      connections
      tunnels
      plans
      sessions
      staticLines
      upBytes
      downBytes
      todayBytes
      ledgerFailures
      refusals {
        code
        message
        count
      }
      exitCount
      healthyExitCount
      exits(search: $search, first: 50) {
        id
        kind
        country
        state
        city
        carrier
        healthy
        connections
        opened
        faults
      }
      leases(first: 20) {
        id
        plan {
          id
          username
        }
        grantedBytes
        settledBytes
        expiresAt
      }
      availableActions {
        action
        allowed
        reasonCode
        params
      }
    }
  }
`);
export type EdgeOne = ResultOf<typeof SupportEdgeOne>['supportEdge'];

export const SupportEdgeChanged = graphql(`
  subscription SupportEdgeChanged {
    supportEdgeChanged {
      id
      state
    }
  }
`);

export const SupportEdgeEnrol = graphql(`
  mutation SupportEdgeEnrol($id: ID!) {
    supportEdgeEnrol(id: $id) {
      key
      edge {
        id
      }
    }
  }
`);

export const SupportEdgeDrain = graphql(`
  mutation SupportEdgeDrain($id: ID!) {
    supportEdgeDrain(id: $id) {
      id
      state
    }
  }
`);

export const SupportEdgeResume = graphql(`
  mutation SupportEdgeResume($id: ID!) {
    supportEdgeResume(id: $id) {
      id
      state
    }
  }
`);

export const SupportEdgeRevoke = graphql(`
  mutation SupportEdgeRevoke($id: ID!) {
    supportEdgeRevoke(id: $id) {
      id
      state
    }
  }
`);
