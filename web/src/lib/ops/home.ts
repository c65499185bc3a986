import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

/** What the home page shows besides residential plans: the next renewals, and the state of static plans and servers. */
export const HomeOverview = graphql(
  `
    query HomeOverview($bills: Boolean!) {
      me {
        id
        orders @include(if: $bills) {
          id
          title
          status
        }
        subscriptions @include(if: $bills) {
          id
          title
          status
          currentPeriodEnd
          cancelAtPeriodEnd
          renewalOrderId
          amount {
            ...MoneyFields
          }
        }
      }
      staticSubscriptions {
        id
        productName
        status
        quantity
        locations
        failing
      }
      servers {
        __typename
        id
        name
        powerState
        ipv4
        ... on Vps {
          vpsStatus: status
        }
        ... on DedicatedServer {
          dedicatedStatus: status
        }
      }
    }
  `,
  [MoneyFields],
);

/** What the first steps of an account need to know of its only plan, besides its figures. */
export const FirstSteps = graphql(`
  query FirstSteps($id: ID!) {
    residentialPlan(id: $id) {
      id
      batches(first: 1) {
        id
      }
      alerts {
        isDefault
      }
    }
  }
`);

export type FirstStepsPlan = ResultOf<typeof FirstSteps>['residentialPlan'];

type Overview = ResultOf<typeof HomeOverview>;
export type HomeStaticPlan = Overview['staticSubscriptions'][number];
export type HomeServer = Overview['servers'][number];
export type HomeSubscription = NonNullable<NonNullable<Overview['me']>['subscriptions']>[number];
export type HomeOrder = NonNullable<NonNullable<Overview['me']>['orders']>[number];
