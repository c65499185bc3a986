// Teams: the people who act in an account beside its own person.
import { graphql, type ResultOf } from '../graphql.ts';

export const Team = graphql(`
  query Team {
    me {
      id
      email
      team {
        name
        members {
          id
          email
          role
          things
          since
        }
        invitations {
          id
          email
          role
          things
          expiresAt
        }
      }
    }
  }
`);

type TeamShape = NonNullable<ResultOf<typeof Team>['me']>['team'];
export type TeamMember = TeamShape['members'][number];

/** What a member may be kept to. */
export const TeamThings = graphql(`
  query TeamThings {
    residentialPlans {
      id
      product {
        name
      }
      label {
        name
      }
      username
    }
    staticSubscriptions {
      id
      productName
      quantity
    }
    servers {
      id
      name
    }
    proxyUsers(search: "", first: 100) {
      id
      name
      username
    }
  }
`);

export const TeamSetName = graphql(`
  mutation TeamSetName($name: String) {
    teamSetName(name: $name) {
      id
    }
  }
`);

export const TeamInvite = graphql(`
  mutation TeamInvite($input: TeamInvitationInput!) {
    teamInvite(input: $input) {
      id
      email
    }
  }
`);

export const TeamInvitationWithdraw = graphql(`
  mutation TeamInvitationWithdraw($id: ID!) {
    teamInvitationWithdraw(id: $id)
  }
`);

export const TeamMemberChange = graphql(`
  mutation TeamMemberChange($id: ID!, $input: TeamMemberInput!) {
    teamMemberChange(id: $id, input: $input) {
      id
    }
  }
`);

export const TeamMemberRemove = graphql(`
  mutation TeamMemberRemove($id: ID!) {
    teamMemberRemove(id: $id)
  }
`);

/** An invitation, as whoever has its link sees it. */
export const Invitation = graphql(`
  query Invitation($token: String!) {
    teamInvitation(token: $token) {
      team
      role
      isLimited
    }
  }
`);

export const TeamJoin = graphql(`
  mutation TeamJoin($token: String!) {
    teamJoin(token: $token) {
      accountId
    }
  }
`);

export const TeamLeave = graphql(`
  mutation TeamLeave($accountId: ID!) {
    teamLeave(accountId: $accountId)
  }
`);

export const TeamSwitch = graphql(`
  mutation TeamSwitch($accountId: ID) {
    teamSwitch(accountId: $accountId)
  }
`);

/** Who works in an account, and in which others its person does, for support. */
export const SupportTeam = graphql(`
  query SupportTeam($id: ID!) {
    supportAccount(id: $id) {
      id
      team {
        name
        members {
          id
          email
          role
          things
          since
        }
        invitations {
          id
          email
          role
          expiresAt
        }
      }
      teams {
        accountId
        name
        role
      }
    }
  }
`);
