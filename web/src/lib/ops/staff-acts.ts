import { graphql, type ResultOf } from '#lib/graphql.ts';

export const StaffMembers = graphql(`
  query StaffMembers {
    supportStaff {
      account {
        id
        email
      }
    }
  }
`);

export const StaffActs = graphql(`
  query StaffActs($filter: StaffActFilter!, $after: ID) {
    supportStaffActs(filter: $filter, first: 25, after: $after) {
      items {
        id
        at
        act
        permission
        address
        by {
          id
          email
        }
        given {
          name
          value
        }
      }
      next
    }
  }
`);

export type StaffAct = ResultOf<typeof StaffActs>['supportStaffActs']['items'][number];
