// Customers who buy endlessly and record the answers: what was acknowledged must exist afterwards, whatever happened meanwhile.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { askAs } from '../../kit/dashboard.ts';
import { checkoutAt, orderOf, placeOrder } from '../../kit/purchase.ts';
import type { Stack } from '../../kit/stack.ts';

const LOOK_MS = 50;

export interface Buyers {
  /** Ids of acknowledged orders. */
  placed: Set<string>;
  /** Those among them that were reported as fulfilled. */
  fulfilled: Set<string>;
  /** Error answers other than "try again", which must not occur. */
  faults: string[];
  /** Resolves after `count` more purchases, with the milliseconds that they took. */
  more(count: number): Promise<number>;
  stop(): Promise<void>;
}

/** Answers that a client retries: 503 with Retry-After, and 409 for a key whose first request is still running. */
const AGAIN = /overloaded|busy|try again|Try again|still being worked on/;

export async function startBuyers(stack: Stack, count: number): Promise<Buyers> {
  let over = false;
  const buyers: Buyers = {
    placed: new Set(),
    fulfilled: new Set(),
    faults: [],
    async more(wanted) {
      const began = performance.now();
      const until = buyers.fulfilled.size + wanted;
      while (buyers.fulfilled.size < until) await pause(LOOK_MS);
      return performance.now() - began;
    },
    async stop() {
      over = true;
      await Promise.all(running);
    },
  };

  async function buyOn(cookie: string): Promise<void> {
    const plain = askAs(stack.url, cookie);
    // Retry until it is answered, as clients do after a 503.
    const ask = async <Data>(query: string, variables?: object): Promise<Data | undefined> => {
      while (!over) {
        try {
          return await plain<Data>(query, variables);
        } catch (error) {
          const { message } = error as Error;
          if (!AGAIN.test(message)) buyers.faults.push(message);
          await pause(LOOK_MS);
        }
      }
      return undefined;
    };
    while (!over) {
      const offered = await ask<{ residentialOffer: { token: string } }>('{ residentialOffer(product: PREMIUM, gigabytes: 5) { token } }');
      const order = offered && { offer: offered.residentialOffer.token, key: randomUUID() };
      const placed = order && (await ask<{ orderPlace: { id: string; checkoutUrl: string | null } }>(placeOrder(), order));
      if (!placed) return;
      const { id, checkoutUrl } = placed.orderPlace;
      buyers.placed.add(id);
      if (checkoutUrl === null) continue;
      stack.sandbox.card.payCheckout(checkoutAt(checkoutUrl));
      while (!over) {
        const now = await orderOf(
          async <Data>(query: string, variables?: Record<string, unknown>) => (await ask<Data>(query, variables)) as Data,
          id,
        ).catch(() => undefined);
        if (now?.status === 'FULFILLED') {
          buyers.fulfilled.add(id);
          break;
        }
        await pause(LOOK_MS);
      }
    }
  }

  const cookies = [];
  for (let buyer = 0; buyer < count; buyer++) cookies.push(await (await stack.seed.account()).cookie());
  const running = cookies.map(buyOn);
  return buyers;
}
