// The subgraph static with helpers for tests of selling: offers, stock, and the outcome of orders.
import { afterAll } from 'vitest';
import { sessionOf } from '../../kit/platform.ts';
import { eventsOf } from '../../kit/tables.ts';
import { startStatic } from './world.ts';

const OFFER = /* GraphQL */ `
  mutation ($productId: ID!, $quantity: Int!) {
    staticOfferMake(productId: $productId, quantity: $quantity) {
      token
      title
      subtotal {
        amountMinor
      }
      tax {
        amountMinor
      }
      total {
        amountMinor
      }
      renewal {
        months
        total {
          amountMinor
        }
      }
      expiresAt
    }
  }
`;

type Answer = { data: any; code: string | undefined; message: string | undefined };

/** Starts the world for the calling test file, and closes it after its last test. */
export async function startSelling() {
  const world = await startStatic({ TAX_RATES: 'DE=19', STATIC_DELIVERY_HOURS: '2', ADDRESS_REST_HOURS: '48' });
  afterAll(() => world.close());
  const ask = async (accountId: string, query: string, variables: Record<string, unknown> = {}, staff = false): Promise<Answer> => {
    const { data, errors } = await world.ask(sessionOf(accountId, staff), query, variables);
    return { data, code: errors?.[0]?.extensions['code'] as string | undefined, message: errors?.[0]?.message };
  };
  return {
    world,
    ask,
    async offer(accountId: string, productId: string, quantity: number) {
      const { data, code, message } = await ask(accountId, OFFER, { productId, quantity });
      return { ...data?.staticOfferMake, code, message };
    },
    async available(productId: string, accountId = 'acct_looker') {
      const { data } = await ask(accountId, '{ staticProducts { id available watchedQuantity } }');
      return data.staticProducts.find(({ id }: { id: string }) => id === productId);
    },
    planOf: world.tables.planOf,
    ipsOf: world.tables.ipsOf,
    factsOf: (subject: string) => eventsOf(world.query, subject),
  };
}
