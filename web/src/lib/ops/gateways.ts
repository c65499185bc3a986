import { graphql, type ResultOf } from '#lib/graphql.ts';
import { MoneyFields } from './money.ts';

export const SupportGateways = graphql(
  `
    query SupportGateways {
      supportGateways {
        id
        state
        trouble
        enabled
        products
        protocol
        host
        port
        username
        countries
        names
        answers
        resolve
        minSessionMinutes
        maxSessionMinutes
        carrier
        weight
        capacity
        checkUrl
        costPerGb {
          ...MoneyFields
        }
        monthlyCap {
          ...MoneyFields
        }
        monthBytes
        monthCost {
          ...MoneyFields
        }
        nodes
        healthyNodes
        connections
        opened
        faults
        places {
          place
          opened
          faults
          misplaced
          out
        }
        bills {
          id
          firstDay
          lastDay
          billedBytes
          countedBytes
          differencePercent
          amount {
            ...MoneyFields
          }
          expected {
            ...MoneyFields
          }
        }
      }
      supportGatewayPresets {
        id
        username
        passwordTemplate
        minSessionMinutes
        maxSessionMinutes
      }
      residentialProducts {
        code
        name
      }
    }
  `,
  [MoneyFields],
);
type Answer = ResultOf<typeof SupportGateways>;
export type GatewayOne = Answer['supportGateways'][number];
export type GatewayPreset = Answer['supportGatewayPresets'][number];
export type GatewayProduct = Answer['residentialProducts'][number];

export const SupportGatewaySet = graphql(`
  mutation SupportGatewaySet($input: SupportGatewayInput!) {
    supportGatewaySet(input: $input) {
      id
      state
    }
  }
`);

export const SupportGatewayRemove = graphql(`
  mutation SupportGatewayRemove($id: ID!) {
    supportGatewayRemove(id: $id)
  }
`);

export const SupportGatewayNoteBill = graphql(`
  mutation SupportGatewayNoteBill($id: ID!, $firstDay: Date!, $lastDay: Date!, $billedBytes: Bytes!, $amountMinor: Int!) {
    supportGatewayNoteBill(id: $id, firstDay: $firstDay, lastDay: $lastDay, billedBytes: $billedBytes, amountMinor: $amountMinor) {
      id
    }
  }
`);
