import { graphql } from '../graphql.ts';

export const Me = graphql(`
  query Me {
    me {
      id
      email
      role
      apiAllowed
    }
  }
`);

export const SignUp = graphql(`
  mutation SignUp($input: SignUpInput!) {
    accountSignUp(input: $input) {
      email
    }
  }
`);

export const ResendVerification = graphql(`
  mutation ResendVerification($email: String!) {
    accountResendVerification(email: $email) {
      email
    }
  }
`);

export const VerifyEmail = graphql(`
  mutation VerifyEmail($token: String!) {
    accountVerifyEmail(token: $token) {
      email
    }
  }
`);
