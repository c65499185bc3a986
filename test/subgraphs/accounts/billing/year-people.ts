// The people of a simulated year, and what they and the desk do with their money: they move to other countries, pay in parts, are refunded, suspended
// and restored, and leave.
import type { Random } from '../../../../sandbox/random.ts';
import { placeOrder } from '../../../kit/purchase.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { PASSWORD, dataOf } from '../world.ts';
import type { SubscriptionWorld } from './subscriptions/subscription-world.ts';
import type { Person } from './world.ts';
import { Shop, one } from './year-shop.ts';

/** Country -> its tax rate in basis points, as in the setting `TAX_RATES`. */
const RATES = { US: 0, DE: 1_900, FR: 2_000, HU: 2_700 } as const;
type Country = keyof typeof RATES;
const COUNTRIES = Object.keys(RATES) as Country[];
export const YEAR_ENVIRONMENT = {
  STAFF_GRANT_LIMIT: '2000',
  STAFF_DAILY_LIMIT: '5000',
  TAX_RATES: 'DE=19,FR=20,HU=27',
  SELLER_COUNTRY: 'DE',
  ADDRESS_REST_HOURS: '48',
  STATIC_DELIVERY_HOURS: '48',
};

const TRANSFER = placeOrder('id total { amountMinor }', 'BANK_TRANSFER');
const DETAILS = 'mutation ($input: BillingDetailsInput!) { billingDetailsSet(input: $input) { country } }';
const CONFIRM = 'mutation ($input: SupportTransferConfirmInput!) { supportTransferConfirm(input: $input) { id } }';
const PAY_OUT = 'mutation ($input: SupportCreditPayOutInput!) { supportCreditPayOut(input: $input) { id } }';
const REFUND = 'mutation ($input: SupportOrderRefundInput!) { supportOrderRefund(input: $input) { id } }';
const END =
  'mutation ($id: ID!, $atPeriodEnd: Boolean!, $reason: String!) { supportSubscriptionEnd(id: $id, atPeriodEnd: $atPeriodEnd, reason: $reason) { id } }';
const RESOLVE =
  'mutation ($id: ID!, $decision: RefundDecision!, $reference: String) { supportRefundResolve(id: $id, decision: $decision, reference: $reference) { id } }';

export class People {
  readonly all: Person[] = [];
  readonly desk: Person;
  /** The second member of staff, who approves what one may not give alone. */
  readonly colleague: Person;
  readonly #world: SubscriptionWorld;
  readonly #random: Random;
  readonly #countries = new Map<string, Country>();
  /** Orders that wait for a bank transfer, and the cents that each still waits for. */
  readonly #transfers: { orderId: string; left: number }[] = [];
  /** The sum of all transfers that have arrived, in cents. */
  transferredMinor = 0;
  readonly shop: Shop;

  private constructor(world: SubscriptionWorld, random: Random, { desk, colleague, shop }: Pick<People, 'desk' | 'colleague' | 'shop'>) {
    this.#world = world;
    this.#random = random;
    this.desk = desk;
    this.colleague = colleague;
    this.shop = shop;
  }

  static async of(world: SubscriptionWorld, random: Random, { seed, count }: { seed: number; count: number }): Promise<People> {
    const people = new People(world, random, {
      desk: await world.account(`desk${seed}@example.com`, 'STAFF'),
      colleague: await world.account(`colleague${seed}@example.com`, 'STAFF'),
      shop: await Shop.of(world, random),
    });
    for (let index = 0; index < count; index++) {
      people.all.push(await world.account(`year${seed}-${index}@example.com`));
      await people.move(people.all[index] as Person);
    }
    return people;
  }

  any(): Person {
    return one(this.#random, this.all) as Person;
  }

  /** The tax rate of the country that a person lives in now, in basis points. */
  rateOf({ id }: Person): number {
    return RATES[this.#countries.get(id) ?? 'US'];
  }

  async move(person: Person): Promise<void> {
    const country = one(this.#random, COUNTRIES) ?? 'US';
    const input = { name: person.email, address: ['1 Street'], country };
    dataOf(await this.#world.ask(person.viewer, DETAILS, { input }), 'billingDetailsSet');
    this.#countries.set(person.id, country);
    // Sellers must read the new country, as they price by it.
    await this.#world.settle();
  }

  #priced(person: Person, subtotalMinor: number) {
    const lines = [{ label: 'Premium', quantity: 1, amountMinor: subtotalMinor }];
    const { subscription: _, ...terms } = this.#world.termsOf({ id: '' }, { lines, taxBasisPoints: this.rateOf(person) });
    return { ...terms, seller: 'residential' as const, title: 'Premium', fulfil: { product: 'PREMIUM', bytes: '5000000000' } };
  }

  /** Buys by card a package that does not renew. */
  async buyOnce(): Promise<void> {
    const person = this.any();
    const order = await this.#world.place(person, this.#priced(person, 1_000 + this.#random.below(9_000)));
    if (order.status === 'PENDING') await this.#world.pay(order.id);
  }

  async transfer(): Promise<void> {
    const person = this.any();
    const offer = this.#world.offer(person.id, this.#priced(person, 50_000 + this.#random.below(50_000)));
    const placed = dataOf<{ id: string; total: { amountMinor: number } }>(
      await this.#world.ask(person.viewer, TRANSFER, { offer, key: this.#world.newKey() }),
      'orderPlace',
    );
    this.#transfers.push({ orderId: placed.id, left: placed.total.amountMinor });
  }

  /** A transfer arrives: a part of it, or the rest, and sometimes too much. */
  async transferArrives(): Promise<void> {
    const [awaited] = this.#transfers;
    if (!awaited) return;
    const amountMinor = this.#random.below(2) === 0 ? awaited.left + this.#random.below(3) * 100 : 1 + this.#random.below(awaited.left);
    awaited.left -= amountMinor;
    if (awaited.left <= 0) this.#transfers.shift();
    const bankReference = `transfer ${this.#world.newKey()}`;
    const input = { orderId: awaited.orderId, amountMinor, bankReference, idempotencyKey: this.#world.newKey() };
    dataOf(await this.#world.ask(this.desk.viewer, CONFIRM, { input }), 'supportTransferConfirm');
    this.transferredMinor += amountMinor;
  }

  /** Refunds a paid order, in part or whole. */
  async refund(): Promise<void> {
    const orders = await rowsOf<{ id: string; total_minor: string }>(this.#world.query, 'accounts.customer_order', {}, { orderBy: 'id' });
    const order = one(this.#random, orders);
    if (!order) return;
    const part = this.#random.below(2) === 0 ? {} : { amountMinor: 1 + this.#random.below(Number(order.total_minor) + 1) };
    const destination = one(this.#random, ['CREDIT', 'CREDIT', 'CARD', 'CARD', 'PAYPAL']);
    const service = one(this.#random, ['LEAVE', 'LEAVE', 'END_AT_PERIOD_END', 'END_NOW']);
    const input = { orderId: order.id, destination, service, reason: 'It did not work', idempotencyKey: this.#world.newKey(), ...part };
    await this.#world.ask(this.desk.viewer, REFUND, { input });
    await this.shop.work();
  }

  /** Gives a subscription another payment method. */
  async setMethod({ id, owner }: { id: string; owner: Person }): Promise<void> {
    const method = one(this.#random, ['CARD', 'PAYPAL', 'CRYPTO', 'BANK_TRANSFER']);
    await this.#world.ask(owner.viewer, `mutation { subscriptionSetMethod(id: "${id}", method: ${method}) { id } }`);
  }

  async endSubscription({ id }: { id: string }): Promise<void> {
    const when = this.#random.below(2) === 0;
    await this.#world.ask(this.desk.viewer, END, { id, atPeriodEnd: when, reason: 'You asked for it' });
    await this.shop.work();
  }

  /** Grants more credit than one member of staff may, which a colleague approves or not; or takes the last grant back. */
  async creditDesk(): Promise<void> {
    const { ask } = this.#world;
    const { id: accountId, viewer } = this.any();
    if (this.#random.below(2) === 0) {
      const input = { accountId, amountMinor: 200_000 + this.#random.below(1_000), currency: 'USD', reason: 'For your patience' };
      const made = await ask(
        this.desk.viewer,
        'mutation ($input: SupportCreditRequestInput!) { supportCreditRequest(input: $input) { id } }',
        { input },
      );
      const { id } = dataOf<{ id: string }>(made, 'supportCreditRequest');
      await ask(
        this.colleague.viewer,
        `mutation { supportCredit${this.#random.below(4) === 0 ? 'Approve' : 'Decline'}(id: "${id}") { id } }`,
      );
      return;
    }
    const seen = await ask(viewer, '{ me { credit { statement { items { id reference } } } } }');
    const { items } = dataOf<{ credit: { statement: { items: { id: string; reference: string }[] } } }>(seen, 'me').credit.statement;
    const lineId = one(
      this.#random,
      items.filter(({ reference }) => /^(crdt_|transfer:)/.test(reference)),
    )?.id;
    const input = { lineId, whatIsLeft: this.#random.below(2) === 0, reason: 'It was given by mistake' };
    await ask(this.desk.viewer, 'mutation ($input: SupportCreditReverseInput!) { supportCreditReverse(input: $input) { amountMinor } }', {
      input,
    });
  }

  /** Pays credit out to where it came from: all that can be, or a part. Some pay-outs are sent by a member of staff. */
  async payOut(): Promise<void> {
    const balances = await rowsOf<{ account_id: string; amount_minor: string }>(
      this.#world.query,
      'accounts.credit_balance',
      {},
      {
        orderBy: 'account_id',
      },
    );
    const accountId = one(
      this.#random,
      balances.filter(({ amount_minor: minor }) => Number(minor) > 0),
    )?.account_id;
    const input = {
      accountId,
      ...(this.#random.below(2) === 0 && { amountMinor: 1 + this.#random.below(5_000) }),
      ...(this.#random.below(3) > 0 && { payTo: 'DE02120300000000202051' }),
      reason: 'You asked for it',
      idempotencyKey: this.#world.newKey(),
    };
    await this.#world.ask(this.desk.viewer, PAY_OUT, { input });
    if (this.#random.below(3) === 0) await this.decideRefund();
  }

  /** A member of staff decides about a refund that waits for a decision; sometimes a bank sends back a refund that had arrived. */
  async decideRefund(): Promise<void> {
    const waiting = await rowsOf<{ id: string }>(this.#world.query, 'accounts.refund', {}, { orderBy: 'created_at, id' });
    const id = one(this.#random, waiting)?.id;
    const decision = one(this.#random, ['AGAIN', 'AS_CREDIT', 'NOT_OWED', 'SENT', 'SENT']);
    await this.#world.ask(this.desk.viewer, RESOLVE, { id, decision, reference: `sent ${this.#world.newKey()}` });
    if (this.#random.below(3) === 0) await this.#sendBack();
  }

  async #sendBack(): Promise<void> {
    const done = { kind: 'PAY_OUT', status: 'DONE', destination: 'CARD' };
    const arrived = await rowsOf<{ processor_id: string }>(this.#world.query, 'accounts.refund', done, { orderBy: 'created_at, id' });
    const sent = one(this.#random, arrived)?.processor_id;
    if (!sent) return;
    this.#world.sandbox.card.bank.failRefund(sent);
    await this.#world.rest();
  }

  /** A random charge that the card processor has made. */
  #charged(): string | undefined {
    return one(
      this.#random,
      this.#world.sandbox.card
        .charges()
        .filter(({ status }) => status === 'succeeded')
        .map(({ id }) => id),
    );
  }

  /** A payer disputes a charge at the bank, or the bank decides a dispute. */
  async dispute(): Promise<void> {
    const { bank } = this.#world.sandbox.card;
    const open = one(
      this.#random,
      bank.disputes().filter(({ status }) => status === 'needs_response' || status === 'under_review'),
    );
    const charged = this.#charged();
    if (open) bank.decide(open.id, this.#random.below(2) === 0 ? 'won' : 'lost');
    else if (charged && this.#random.below(2) === 0) bank.dispute(charged);
    await this.#world.rest();
  }

  /** Refunds by hand, in the processor's own dashboard; sometimes the bank sends the refund back. */
  async refundElsewhere(): Promise<void> {
    const { bank } = this.#world.sandbox.card;
    const charged = this.#charged();
    if (!charged) return;
    const { id } = bank.refund(charged, this.#random.below(2) === 0 ? {} : { amount: 1 + this.#random.below(500) });
    const made = this.#world.sandbox.card.refunds().filter(({ status, metadata }) => status === 'succeeded' && !metadata?.['refund_id']);
    const failing = this.#random.below(4);
    if (failing === 0) bank.failRefund(id);
    else if (failing === 1) bank.failRefund(one(this.#random, made)?.id ?? id);
    await this.#world.rest();
  }

  /** Our bank sends a payout back; once the processor has another bank account for us, it pays out again. */
  async failPayout(): Promise<void> {
    const { bank } = this.#world.sandbox.card;
    const sent = one(
      this.#random,
      bank.payouts().filter(({ status }) => status === 'in_transit' || status === 'paid'),
    );
    if (sent && this.#random.below(3) === 0) bank.failPayout(sent.id);
    else bank.changeAccount();
    await this.readBalances();
  }

  /** Runs the hourly job that reads the processors' balances. */
  readBalances(): Promise<unknown> {
    return this.#world.platform.queue.runNow('accounts.balances-read');
  }

  /** The desk sends every failed refund again, and turns those that fail once more into credit. */
  async decideOnRefunds(): Promise<void> {
    const { viewer } = this.desk;
    for (const decision of ['AGAIN', 'AS_CREDIT']) {
      const answer = await this.#world.ask(viewer, '{ supportFailedRefunds { refund { id } } }');
      const failed = dataOf<{ refund: { id: string } }[]>(answer, 'supportFailedRefunds');
      for (const {
        refund: { id },
      } of failed)
        await this.#world.ask(viewer, `mutation ($id: ID!) { supportRefundResolve(id: $id, decision: ${decision}) { id } }`, { id });
      await this.#world.rest();
    }
  }

  async reissue(): Promise<void> {
    const invoices = await rowsOf<{ id: string }>(this.#world.query, 'accounts.invoice', {}, { orderBy: 'issued_at, id' });
    const id = one(this.#random, invoices)?.id;
    await this.#world.ask(this.desk.viewer, 'mutation ($id: ID!) { supportInvoiceReissue(id: $id, reason: "Wrong address") { id } }', {
      id,
    });
  }

  async suspendOrRestore(): Promise<void> {
    const act = this.#random.below(3) === 0 ? 'supportAccountSuspend' : 'supportAccountRestore';
    await this.#world.ask(this.desk.viewer, `mutation ($id: ID!) { ${act}(accountId: $id, reason: "To look into it") { id } }`, {
      id: this.any().id,
    });
  }

  /** Tries, now and then, to close an account, which is refused while the account still has something running. */
  async close(): Promise<void> {
    if (this.#random.below(8) > 0) return;
    await this.#world.ask(this.any().viewer, 'mutation ($password: String!) { accountClose(password: $password) { what } }', {
      password: PASSWORD,
    });
  }

  /** One of the processors does not answer for up to an hour, while people buy and periods end. */
  async outage(): Promise<void> {
    const { card, paypal, crypto } = this.#world.sandbox;
    const { api } = (one(this.#random, [card, card, paypal, crypto]) ?? card).faults;
    const before = api.ratios;
    api.ratios = { error_before_effect: 1 };
    await this.buyOnce().catch(() => {});
    await this.shop.buyPackage(this.any()).catch(() => {});
    await this.#world.rest().catch(() => {});
    this.#world.clock.advance((1 + this.#random.below(60)) * 60_000);
    api.ratios = before;
  }
}
