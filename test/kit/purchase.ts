// A purchase by card from the offer to what it brings, as a customer makes it over the API.
import { randomUUID } from 'node:crypto';
import { askAs } from './dashboard.ts';
import type { SeededAccount } from './seed.ts';
import type { Stack } from './stack.ts';

export interface Purchase {
  /** Of the order, once everything has come to rest. */
  status: string;
  planId: string;
}

/** Buys 5 GB of Premium and pays at the sandbox's checkout. */
export async function buyPackage(stack: Stack, buyer: SeededAccount): Promise<Purchase> {
  const ask = askAs(stack.url, await buyer.cookie());
  const { residentialOffer } = await ask<{ residentialOffer: { token: string } }>(
    '{ residentialOffer(product: PREMIUM, gigabytes: 5) { token } }',
  );
  const { orderPlace } = await ask<{ orderPlace: { id: string } }>(
    'mutation ($offer: String!, $key: String!) { orderPlace(offer: $offer, method: CARD, idempotencyKey: $key) { id checkoutUrl } }',
    { offer: residentialOffer.token, key: randomUUID() },
  );
  const open = stack.sandbox.card.sessions().filter(({ status }) => status === 'open');
  stack.sandbox.card.payCheckout(open.at(-1)?.id ?? '');
  await stack.settle();
  const { order } = await ask<{ order: { status: string; resourceId: string } }>(
    'query ($id: ID!) { order(id: $id) { status resourceId } }',
    {
      id: orderPlace.id,
    },
  );
  return { status: order.status, planId: order.resourceId };
}
