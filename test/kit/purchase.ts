// A purchase by card, from the offer to the delivered plan, as a customer makes it over the API.
import { randomUUID } from 'node:crypto';
import { askAs } from './dashboard.ts';
import type { SeededAccount } from './seed.ts';
import type { Stack } from './stack.ts';

export interface Purchase {
  /** The order's status, once no work is left. */
  status: string;
  planId: string;
}

/** The mutation that places an order for `$offer`, once per `$key`, and selects `fields` of it. It pays by `method` unless `$method` is given. */
export const placeOrder = (fields = 'id status checkoutUrl', method = 'CARD') =>
  `mutation ($offer: String!, $method: PaymentMethod! = ${method}, $key: String!) {
     orderPlace(offer: $offer, method: $method, idempotencyKey: $key) { ${fields} } }`;

type Ask = <Data>(query: string, variables?: Record<string, unknown>) => Promise<Data>;

/** The processor's id of a checkout, taken from the URL that the API gives. */
export const checkoutAt = (checkoutUrl: string | null) => new URL(checkoutUrl ?? 'http://none/').pathname.split('/').at(-1) ?? '';

/** Places an order, runs `meanwhile`, pays by card unless nothing is left to pay, and waits until no work is left. */
export async function orderAndPay(
  stack: Pick<Stack, 'sandbox' | 'settle'>,
  ask: Ask,
  offer: string,
  meanwhile = async () => {},
): Promise<{ id: string; status: string; resourceId: string | null }> {
  const { orderPlace } = await ask<{ orderPlace: { id: string; status: string; checkoutUrl: string | null } }>(placeOrder(), {
    offer,
    key: randomUUID(),
  });
  await meanwhile();
  if (orderPlace.status === 'PENDING') stack.sandbox.card.payCheckout(checkoutAt(orderPlace.checkoutUrl));
  await stack.settle();
  return orderOf(ask, orderPlace.id);
}

export const orderOf = async (ask: Ask, id: string) =>
  (
    await ask<{ order: { id: string; status: string; resourceId: string | null } }>(
      'query ($id: ID!) { order(id: $id) { id status resourceId } }',
      { id },
    )
  ).order;

/** Buys 5 GB of Premium and pays at the sandbox's checkout. */
export async function buyPackage(stack: Stack, buyer: SeededAccount): Promise<Purchase> {
  const ask = askAs(stack.url, await buyer.cookie());
  const { residentialOffer } = await ask<{ residentialOffer: { token: string } }>(
    '{ residentialOffer(product: PREMIUM, gigabytes: 5) { token } }',
  );
  const { status, resourceId } = await orderAndPay(stack, ask, residentialOffer.token);
  return { status, planId: resourceId ?? '' };
}
