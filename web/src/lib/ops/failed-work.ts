// Work that has failed, and the retries that staff can start.
import { graphql, type ResultOf } from '../graphql.ts';

const FailedJobFields = graphql(`
  fragment FailedJobFields on FailedJob @_unmask {
    id
    job
    state
    tries
    error
    given
    createdAt
    failedAt
    nextTryAt
  }
`);

export const AccountsFailedJobs = graphql(
  `
    query AccountsFailedJobs {
      supportAccountsFailedJobs {
        ...FailedJobFields
      }
    }
  `,
  [FailedJobFields],
);

export const AccountsJobAgain = graphql(`
  mutation AccountsJobAgain($id: ID!) {
    supportAccountsJobAgain(id: $id) {
      id
    }
  }
`);

export const ResidentialFailedJobs = graphql(
  `
    query ResidentialFailedJobs {
      supportResidentialFailedJobs {
        ...FailedJobFields
      }
    }
  `,
  [FailedJobFields],
);

export const ResidentialJobAgain = graphql(`
  mutation ResidentialJobAgain($id: ID!) {
    supportResidentialJobAgain(id: $id) {
      id
    }
  }
`);

export const StaticFailedJobs = graphql(
  `
    query StaticFailedJobs {
      supportStaticFailedJobs {
        ...FailedJobFields
      }
    }
  `,
  [FailedJobFields],
);

export const StaticJobAgain = graphql(`
  mutation StaticJobAgain($id: ID!) {
    supportStaticJobAgain(id: $id) {
      id
    }
  }
`);

export const ComputeFailedJobs = graphql(
  `
    query ComputeFailedJobs {
      supportComputeFailedJobs {
        ...FailedJobFields
      }
    }
  `,
  [FailedJobFields],
);

export const ComputeJobAgain = graphql(`
  mutation ComputeJobAgain($id: ID!) {
    supportComputeJobAgain(id: $id) {
      id
    }
  }
`);

export type FailedJob = ResultOf<typeof AccountsFailedJobs>['supportAccountsFailedJobs'][number];

export const LateNotices = graphql(`
  query LateNotices {
    supportLateNotices {
      id
      source
      type
      objectId
      receivedAt
      tries
      error
      failedAt
    }
  }
`);

export const NoticeAgain = graphql(`
  mutation NoticeAgain($source: String!, $id: ID!) {
    supportNoticeAgain(source: $source, id: $id) {
      id
    }
  }
`);

export const DeadLetters = graphql(`
  query DeadLetters {
    supportDeadLetters {
      id
      reader
      type
      subject
      happenedAt
      attempts
      error
      failedAt
      nextTryAt
    }
  }
`);

export const DeadLettersRedrive = graphql(`
  mutation DeadLettersRedrive($id: ID) {
    supportDeadLettersRedrive(id: $id) {
      id
    }
  }
`);
