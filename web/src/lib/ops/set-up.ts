import { type ResultOf, graphql } from '../graphql.ts';

export const SetUpOpen = graphql(`
  query SetUpOpen {
    setUpOpen
  }
`);

export const SetUpCheck = graphql(`
  mutation SetUpCheck($code: String!) {
    setUpCheck(code: $code) {
      settings {
        name
        about
        isSet
      }
      findings {
        vendor
        what
        ok
        words
      }
    }
  }
`);
export type SetUpState = ResultOf<typeof SetUpCheck>['setUpCheck'];

export const SetUpFinish = graphql(`
  mutation SetUpFinish($input: SetUpInput!) {
    setUpFinish(input: $input) {
      email
      enrolment
    }
  }
`);
