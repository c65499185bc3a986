// What the people of a simulated year buy from real sellers (residential packages and static addresses), and how they pay: by card, PayPal and coins; at
// once, late, in parts, with money that comes days later or not at all.
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import { importInventory } from '../../../../subgraphs/static/inventory/services/import-inventory.ts';
import type { StaticContext } from '../../../../subgraphs/static/providers.ts';
import { staticProxies } from '../../../../subgraphs/static/subgraph.ts';
import { residential } from '../../../../subgraphs/residential/subgraph.ts';
import type { Random } from '../../../../sandbox/random.ts';
import { placeOrder } from '../../../kit/purchase.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { dataOf } from '../world.ts';
import type { SubscriptionWorld } from './subscriptions/subscription-world.ts';
import type { Person } from './world.ts';

export const SELLERS = [residential, staticProxies] as const;
type Seller = (typeof SELLERS)[number]['name'];

/** How many addresses are in stock: too few, so that some paid orders cannot be delivered. */
const SHELF = 30;
const PRODUCT = 'isp-northline';
/** The jobs that sellers run every minute. */
const SELLERS_JOBS = ['static.plan-deliver-pending', 'static.stock-sweep', 'residential.plans-resume'];
const WAYS = ['CARD', 'CARD', 'CARD', 'PAYPAL', 'PAYPAL', 'CRYPTO'] as const;

export const one = <Item>(random: Random, items: readonly Item[]): Item | undefined => items[random.below(items.length)];

export class Shop {
  readonly #world: SubscriptionWorld;
  readonly #random: Random;

  private constructor(world: SubscriptionWorld, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  static async of(world: SubscriptionWorld, random: Random): Promise<Shop> {
    const shop = new Shop(world, random);
    const lines = Array.from({ length: SHELF }, (_, index) => `203.0.113.${index + 1},8000,${PRODUCT},Frankfurt`);
    await importInventory(shop.#seller('static').systemContext('year') as StaticContext, ['ip,port,product,location', ...lines].join('\n'));
    return shop;
  }

  #seller(name: Seller) {
    const seller = this.#world.sellers.find((running) => running.name === name);
    if (!seller) throw new Error(`a year needs ${name}`);
    return seller;
  }

  /** Runs the sellers' own jobs. */
  async work(): Promise<void> {
    for (const job of SELLERS_JOBS) await this.#world.platform.queue.runNow(job);
    await this.#world.settle();
  }

  async buyPackage(person: Person): Promise<void> {
    const terms = `product: PREMIUM, gigabytes: ${3 + this.#random.below(20)}`;
    await this.#order(person, await this.#offer(person, 'residential', `query { made: residentialOffer(${terms}) { token } }`));
  }

  async buyPlan(person: Person): Promise<void> {
    const terms = `productId: "${PRODUCT}", quantity: ${5 + this.#random.below(8)}`;
    await this.#order(person, await this.#offer(person, 'static', `mutation { made: staticOfferMake(${terms}) { token } }`));
  }

  /** Orders more addresses for a person's plan, or fewer. */
  async changePlan(person: Person): Promise<void> {
    const { query } = this.#world;
    const owned = { account_id: person.id, status: 'ACTIVE' };
    const id = one(this.#random, await rowsOf<{ id: string }>(query, 'static.plan', owned, { orderBy: 'id' }))?.id;
    if (id === undefined) return;
    const held = await rowsOf<{ ip: string }>(query, 'static.address', { plan_id: id }, { columns: 'host(ip) as ip', orderBy: 'ip' });
    const some = JSON.stringify(held.slice(0, 1 + this.#random.below(3)).map(({ ip }) => ip));
    const change =
      this.#random.below(2) === 0
        ? `staticPlanOfferMore(id: "${id}", quantity: ${1 + this.#random.below(4)})`
        : `staticPlanOfferFewer(id: "${id}", addresses: ${some})`;
    await this.#order(person, await this.#offer(person, 'static', `mutation { made: ${change} { token } }`));
  }

  async #offer({ viewer }: Person, name: Seller, query: string): Promise<string> {
    const answer = await createSubgraphRunner(this.#seller(name), this.#world.platform.log).execute({ query, variables: {} }, viewer);
    return dataOf<{ token: string }>(answer, 'made').token;
  }

  async #order({ viewer, email }: Person, offer: string): Promise<void> {
    const method = one(this.#random, WAYS) ?? 'CARD';
    const placed = await this.#world.ask(viewer, placeOrder('id status', method), { offer, key: this.#world.newKey() });
    const { id, status } = dataOf<{ id: string; status: string }>(placed, 'orderPlace');
    // The seller must hold the stock first.
    await this.#world.settle();
    // One in eight never pays.
    if (status === 'PENDING' && this.#random.below(8) > 0) await this.#pay(id, method, email);
    await this.work();
  }

  async #pay(orderId: string, method: (typeof WAYS)[number], email: string): Promise<void> {
    const checkout = await this.#world.checkoutOf(orderId);
    if (checkout === '') return;
    const { card, paypal } = this.#world.sandbox;
    if (method === 'CARD') card.payCheckout(checkout);
    else if (method === 'CRYPTO') this.#sendCoins(checkout);
    else
      paypal.approve(checkout, {
        email,
        funding: one(this.#random, ['balance', 'balance', 'balance', 'echeck', 'INSTRUMENT_DECLINED']) ?? 'balance',
      });
  }

  /** Sends all coins that are due, or too few, or too many. Some are not confirmed before the time is up. */
  #sendCoins(checkout: string): void {
    const { crypto } = this.#world.sandbox;
    crypto.pay(checkout, this.#random.below(3) === 0 ? { amount: `${1 + this.#random.below(90)}.${10 + this.#random.below(90)}` } : {});
    if (this.#random.below(3) > 0) crypto.confirm(checkout);
  }

  /** Pays a waiting order in coins, perhaps a renewal: asks for its exchange rate, and sends all or a part. */
  async payCoins({ id: accountId, viewer }: Person): Promise<void> {
    const waiting = { account_id: accountId, status: 'PENDING', method: 'CRYPTO' };
    const orders = await rowsOf<{ id: string }>(this.#world.query, 'accounts.customer_order', waiting, { orderBy: 'id' });
    const id = one(this.#random, orders)?.id;
    if (id === undefined) return;
    await this.#world.ask(viewer, 'mutation ($id: ID!) { orderOpenCheckout(id: $id) { id } }', { id });
    const checkout = await this.#world.checkoutOf(id);
    if (checkout !== '') this.#sendCoins(checkout);
    await this.#world.settle();
  }

  /** Confirms some coins, settles or fails PayPal's pending debits, and lets billing agreements there pay from now on, or not. */
  async timePasses(people: readonly Person[]): Promise<void> {
    const { crypto, paypal } = this.#world.sandbox;
    for (const { id } of crypto.invoices()) if (this.#random.below(2) === 0) crypto.confirm(String(id));
    for (const { id, status } of paypal.captures())
      if (status === 'PENDING') paypal.settle(id, this.#random.below(4) === 0 ? 'DECLINED' : 'COMPLETED');
    const payer = one(this.#random, people);
    if (payer)
      paypal.fund(payer.email, one(this.#random, ['balance', 'balance', 'PAYER_CANNOT_PAY', 'AGREEMENT_ALREADY_CANCELLED']) ?? 'balance');
    await this.#world.settle();
  }

  /** Ends everything that is pending at PayPal or unconfirmed in coins; from now on all of it pays. */
  async endWaiting(people: readonly Person[]): Promise<void> {
    const { crypto, paypal } = this.#world.sandbox;
    for (const { id } of crypto.invoices()) crypto.confirm(String(id));
    for (const { id, status } of paypal.captures()) if (status === 'PENDING') paypal.settle(id);
    for (const { id, status } of paypal.refunds()) if (status === 'PENDING') paypal.settleRefund(id);
    for (const { email } of people) paypal.fund(email, 'balance');
    await this.#world.settle();
  }

  /** Refunds, disputes, or decides a dispute on PayPal's own pages. */
  async troubleAtPayPal(): Promise<void> {
    const { paypal } = this.#world.sandbox;
    const taken = paypal.captures().filter(({ status }) => status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED');
    const id = one(this.#random, taken)?.id;
    const open = one(
      this.#random,
      paypal.disputes().filter(({ status }) => status !== 'RESOLVED'),
    );
    const refund = one(
      this.#random,
      paypal.refunds().filter(({ status }) => status === 'COMPLETED'),
    );
    const deed = this.#random.below(4);
    if (open && deed > 0)
      paypal.resolve(open.dispute_id, one(this.#random, ['RESOLVED_BUYER_FAVOUR', 'RESOLVED_SELLER_FAVOUR']) ?? 'CANCELED_BY_BUYER');
    else if (id !== undefined && deed === 1)
      paypal.refundByHand(id, this.#random.below(2) === 0 ? undefined : `${1 + this.#random.below(3)}.00`);
    else if (id !== undefined && deed === 2) paypal.dispute(id, { channel: this.#random.below(2) === 0 ? 'INTERNAL' : 'EXTERNAL' });
    else if (refund) paypal.settleRefund(refund.id, 'FAILED');
    await this.#world.settle();
  }
}
