// A purchase as a stranger makes it, over the public API and the sandbox's pages: sign-up, the link in the mail, an offer, the card, the delivery.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '#platform/clock.ts';
import { StartFailure, reasonOf } from '#platform/start-failure.ts';
import { type Money, formatMoney } from '#commerce/money.ts';

/** Where a platform and its sandbox's mail box are, without a slash at the end. */
export interface DrillPlace {
  url: string;
  mailUrl: string;
  waitMs?: number;
}

export interface Stranger {
  email: string;
  password: string;
}

/** How long a mail or a delivery may take; a restored platform has old work to do as well. */
const WAIT_MS = 120 * SECOND;
const LOOK_MS = 250;
/** A card that the sandbox accepts (`sandbox/card/test-cards.ts`); it expires in 2099. */
const CARD = { number: '4242424242424242', expiry: '12/99', cvc: '123', action: 'pay' };

/** Asks until `look` has found something. Throws a StartFailure with `otherwise` when nothing comes in time. */
async function seen<Value>(waitMs: number, look: () => Promise<Value | undefined>, otherwise: () => string): Promise<Value> {
  for (let waited = 0; waited < waitMs; waited += LOOK_MS) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(LOOK_MS);
  }
  throw new StartFailure(otherwise());
}

/**
 * A connection that is dropped is tried again: a platform that has just started, on a machine with much to do, drops some. Every request of a purchase may come
 * twice.
 */
async function reach(url: string, init: RequestInit = {}, attempts = 5): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const { cause } = error as Error;
    if (attempts <= 1) throw new StartFailure(`${new URL(url).pathname} cannot be reached: ${reasonOf(cause ?? error)}`);
    await pause(SECOND);
    return reach(url, init, attempts - 1);
  }
}

const cookiesOf = (...answers: Response[]): string =>
  answers.flatMap(({ headers }) => headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])).join('; ');

const post = (url: string, path: string, body: object, cookie = ''): Promise<Response> =>
  reach(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie },
    body: JSON.stringify(body),
  });

async function graph<Data>(url: string, query: string, variables: object = {}, cookie = ''): Promise<{ data: Data; code?: string }> {
  const answer = await post(url, '/graphql', { query, variables }, cookie);
  const { data, errors } = (await answer.json()) as { data: Data; errors?: { message: string; extensions?: { code?: string } }[] };
  const [error] = errors ?? [];
  if (error && !data) return { data, code: error.extensions?.code ?? error.message };
  if (error) throw new StartFailure(`The platform answers a purchase with: ${error.message}`);
  return { data };
}

async function asked<Data>(...words: Parameters<typeof graph>): Promise<Data> {
  const { data, code } = await graph<Data>(...words);
  if (code !== undefined) throw new StartFailure(`The platform refuses a purchase: ${code}.`);
  return data;
}

/** Signs up by mail and agrees to what is published. Returns the cookies of the session. Throws a StartFailure. */
export async function signUp({ url, mailUrl, waitMs = WAIT_MS }: DrillPlace, { email, password }: Stranger): Promise<string> {
  const { legalTexts } = await asked<{ legalTexts: { kind: string; version: number }[] }>(url, '{ legalTexts { kind version } }');
  const begun = await post(url, '/auth/sign-up', { email, password, accepts: legalTexts });
  if (!begun.ok) throw new StartFailure(`The platform refuses a sign-up: ${await begun.text()}`);
  const link = await seen(
    waitMs,
    async () => {
      const { messages } = (await (await reach(`${mailUrl}/messages?to=${email}`)).json()) as { messages: { links: string[] }[] };
      return messages[0]?.links[0];
    },
    () => 'The platform sends no mail to somebody who signs up.',
  );
  const followed = await reach(link, { redirect: 'manual' });
  const signedIn = await post(url, '/auth/confirm', {}, cookiesOf(begun, followed));
  if (!signedIn.ok) throw new StartFailure(`The link of a sign-up does not lead in: ${await signedIn.text()}`);
  return cookiesOf(signedIn);
}

/** The signed offer of a package. Throws a StartFailure. */
export async function offerOf(url: string, cookie: string, product: string, gigabytes: number): Promise<string> {
  const { residentialOffer } = await asked<{ residentialOffer: { token: string } }>(
    url,
    'query ($product: ResidentialProductCode!, $gigabytes: Int!) { residentialOffer(product: $product, gigabytes: $gigabytes) { token } }',
    { product, gigabytes },
    cookie,
  );
  return residentialOffer.token;
}

/** Of what is sold, the smallest volume of the first product: its offer. Undefined: no product of residential is sold. */
async function smallestOffer(url: string, cookie: string): Promise<string | undefined> {
  interface Sold {
    residentialProducts: { code: string; prices: { fromGb: number }[] }[];
  }
  const { residentialProducts } = await asked<Sold>(url, '{ residentialProducts { code prices { fromGb } } }');
  const found = residentialProducts.flatMap(({ code, prices: [first] }) => (first ? [{ code, gigabytes: first.fromGb }] : []))[0];
  return found && offerOf(url, cookie, found.code, found.gigabytes);
}

interface Placed {
  id: string;
  title: string;
  total: Money;
  checkoutUrl: string | null;
}

/** Places an order for `offer`. Undefined: a rule of the desk refuses it. */
export async function place(url: string, cookie: string, offer: string, method: 'CARD' | 'BANK_TRANSFER'): Promise<Placed | undefined> {
  const { data, code } = await graph<{ orderPlace: Placed }>(
    url,
    `mutation ($offer: String!, $method: PaymentMethod!, $key: String!) {
       orderPlace(offer: $offer, method: $method, idempotencyKey: $key) { id title total { amountMinor currency } checkoutUrl } }`,
    { offer, method, key: randomUUID() },
    cookie,
  );
  if (code === 'order_refused') return undefined;
  if (code !== undefined) throw new StartFailure(`The platform refuses an order: ${code}.`);
  return data.orderPlace;
}

/** Pays at the card's page and waits for the delivery. Returns whether it was delivered; if not, a rule of the desk holds it. Throws a StartFailure. */
export async function payByCard({ url, waitMs = WAIT_MS }: DrillPlace, cookie: string, { id, checkoutUrl }: Placed): Promise<boolean> {
  if (checkoutUrl === null) throw new StartFailure('An order by card has no page where it is paid.');
  const paid = await reach(checkoutUrl, { method: 'POST', body: new URLSearchParams(CARD), redirect: 'manual' });
  if (paid.status !== 303) throw new StartFailure(`The page where an order is paid answers ${paid.status}.`);
  let last = 'PENDING';
  return seen(
    waitMs,
    async () => {
      const query = 'query ($id: ID!) { order(id: $id) { status inReview } }';
      const { order } = await asked<{ order: { status: string; inReview: boolean } }>(url, query, { id }, cookie);
      last = order.status;
      if (order.inReview) return false;
      return last === 'FULFILLED' ? true : undefined;
    },
    () => `An order that was paid by card stays ${last} and is not delivered.`,
  );
}

/** Buys the smallest package by card with a new account. Returns a sentence on what was bought. Throws a StartFailure that names the step that failed. */
export async function buyAsStranger(at: DrillPlace): Promise<string> {
  const stranger = { email: `drill-${randomBytes(6).toString('hex')}@egress.example`, password: randomBytes(24).toString('base64url') };
  const cookie = await signUp(at, stranger);
  const offer = await smallestOffer(at.url, cookie);
  if (offer === undefined) return 'Somebody signed up. No residential product is sold, so none was bought.';
  const order = await place(at.url, cookie, offer, 'CARD');
  if (!order) return 'Somebody signed up. A rule of the desk refuses the order, so nothing was bought.';
  if (await payByCard(at, cookie, order))
    return `Somebody signed up, bought ${order.title} for ${formatMoney(order.total)} by card, and has it.`;
  return `Somebody signed up and paid for ${order.title}. A rule of the desk holds the order, so its delivery was not seen.`;
}
