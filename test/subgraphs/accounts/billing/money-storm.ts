// Every operation that moves money of an account or changes its orders, as customers, staff, banks and jobs do them, for storms of many at once.
import { setTimeout } from 'node:timers/promises';
import { toFailure } from '#platform/errors.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import { setBillingDetails } from '../../../../subgraphs/accounts/billing/tax/services/billing-details.ts';
import { applyNow } from '../../../../subgraphs/accounts/billing/incoming-payments/services/apply-payment.ts';
import { cancelSubscription, undoCancellation } from '../../../../subgraphs/accounts/billing/subscriptions/services/cancel-subscription.ts';
import { placeOrder } from '../../../kit/purchase.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { codeOf, dataOf } from '../world.ts';
import { LINE, type SubscriptionWorld } from './subscriptions/subscription-world.ts';
import type { Person } from './world.ts';

/** Settings with enough database connections for all operations at once. */
export const STORM_ENVIRONMENT = { DATABASE_POOL: '40', DATABASE_WAIT_MS: '30000' };

export interface Owner {
  person: Person;
  subscriptionId: string;
  /** Paid orders that can still be refunded. */
  paid: string[];
  /** An order that waits for a bank transfer. */
  transfer: string;
  /** The checkout of a change of the subscription, for which too many coins have arrived. */
  coins: string;
}

/** One operation, run at the same time as others. Resolves to the API's error code, or to undefined on success. */
export type Operation = (owner: Owner) => Promise<string | undefined>;

const CREDIT_MINOR = 50_000;
/** How often an order is tried that a storm needs before it begins. */
const PLACE_TRIES = 10;

const line = (amountMinor: number) => ({ label: `A plan of ${amountMinor}`, quantity: 1, amountMinor });
const mutate = (name: string, input: string, fields = 'id') => `mutation ($input: ${input}!) { ${name}(input: $input) { ${fields} } }`;

export class MoneyStorm {
  readonly #world: SubscriptionWorld;
  readonly #desk: Person;
  readonly #colleague: Person;
  #transfers = 0;

  private constructor(world: SubscriptionWorld, desk: Person, colleague: Person) {
    this.#world = world;
    this.#desk = desk;
    this.#colleague = colleague;
  }

  static async of(world: SubscriptionWorld): Promise<MoneyStorm> {
    const staff = (name: string) => world.account(`${name}@example.com`, 'STAFF');
    return new MoneyStorm(world, await staff('storm-desk'), await staff('storm-colleague'));
  }

  readonly operations: Readonly<Record<string, Operation>> = {
    purchase: async ({ person }) =>
      codeOf(
        await this.#world.tryPlace(
          person,
          this.#world.termsOf({ id: this.#world.newSubscription() }, { lines: [line(100)], taxBasisPoints: 1_900 }),
        ),
      ),
    addition: (owner) => this.#change(owner, { lines: [line(7)] }),
    removal: (owner) => this.#change(owner, { lines: [], creditMinor: 3 }),
    grant: async ({ person }) => codeOf(await this.#world.grant(person.id, 500, this.#desk.viewer)),
    secondPerson: async ({ person: { id: accountId } }) => {
      const input = { accountId, amountMinor: 100, currency: 'USD', reason: 'Asked for' };
      const asked = await this.#byDesk(mutate('supportCreditRequest', 'SupportCreditRequestInput'), { input });
      const id = (asked.data?.['supportCreditRequest'] as { id: string } | undefined)?.id;
      return (
        codeOf(asked) ?? codeOf(await this.#world.ask(this.#colleague.viewer, `mutation { supportCreditApprove(id: "${id}") { id } }`))
      );
    },
    reverse: async ({ person }) => {
      const lines = await rowsOf<{ id: string }>(
        this.#world.query,
        'accounts.journal',
        { account_id: person.id, kind: 'credit_granted' },
        { orderBy: 'id desc' },
      );
      const input = { lineId: lines[0]?.id ?? '', whatIsLeft: true, reason: 'It was given by mistake' };
      return codeOf(await this.#byDesk(mutate('supportCreditReverse', 'SupportCreditReverseInput', 'amountMinor'), { input }));
    },
    refund: ({ paid }) => this.#refund(paid[Math.floor(paid.length / 2)], 'CREDIT'),
    cardRefund: ({ paid }) => this.#refund(paid[0], 'CARD'),
    payOut: async ({ person: { id: accountId } }) => {
      const to = { payTo: 'DE02120300000000202051', reason: 'Asked for', idempotencyKey: this.#world.newKey() };
      const input = { accountId, amountMinor: 1, ...to };
      return codeOf(await this.#byDesk(mutate('supportCreditPayOut', 'SupportCreditPayOutInput'), { input }));
    },
    transfer: async ({ transfer }) => {
      const bankReference = `bank ${++this.#transfers}`;
      const input = { orderId: transfer, amountMinor: 120_100, bankReference, idempotencyKey: this.#world.newKey() };
      return codeOf(await this.#byDesk(mutate('supportTransferConfirm', 'SupportTransferConfirmInput'), { input }));
    },
    coins: async ({ coins }) => (coins === '' ? 'covered' : failureOf(applyNow(this.#world.context(), 'CRYPTO', coins))),
    details: ({ person }) =>
      failureOf(setBillingDetails(this.#world.as(person.viewer), { name: 'Ada', address: ['1 Street'], country: 'DE', taxId: null })),
    cancel: ({ person, subscriptionId }) => failureOf(cancelSubscription(this.#world.as(person.viewer), subscriptionId)),
    keep: ({ person, subscriptionId }) => failureOf(undoCancellation(this.#world.as(person.viewer), subscriptionId)),
    reissue: async ({ person }) => {
      const invoices = await rowsOf<{ id: string }>(
        this.#world.query,
        'accounts.invoice',
        { account_id: person.id, kind: 'INVOICE' },
        { orderBy: 'id desc' },
      );
      const text = `mutation { supportInvoiceReissue(id: "${invoices[0]?.id}", reason: "Wrong address") { id } }`;
      return codeOf(await this.#byDesk(text));
    },
    refundElsewhere: ({ paid }) => this.#atBank(paid[1], (charge) => void this.#world.sandbox.card.bank.refund(charge, { amount: 1 })),
    dispute: ({ paid }) => this.#atBank(paid[3], (charge) => void this.#world.sandbox.card.bank.dispute(charge)),
    sweep: ({ person: { id: accountId } }) => failureOf(this.#sweep(accountId)),
  };

  #byDesk = (text: string, variables: Record<string, unknown> = {}) => this.#world.ask(this.#desk.viewer, text, variables);

  async #refund(orderId: string | undefined, destination: 'CARD' | 'CREDIT') {
    return codeOf(await this.#world.refund(this.#desk.viewer, { orderId: orderId ?? '', destination, amountMinor: 1 }));
  }

  /** Lets something happen at the bank to the charge of an order, and the processor's webhook arrive. The sandbox refuses what cannot happen twice. */
  async #atBank(orderId: string | undefined, deed: (chargeId: string) => void): Promise<string | undefined> {
    const { query, sandbox, platform } = this.#world;
    const [payment] = await rowsOf<{ processor_id: string }>(query, 'accounts.payment', { order_id: orderId ?? '' });
    const charge = sandbox.card.charges().find(({ payment_intent: intent }) => intent === payment?.processor_id);
    if (!charge) return 'not_charged';
    try {
      deed(charge.id);
    } catch {
      return 'refused_by_bank';
    }
    await sandbox.card.deliver();
    await platform.queue.drain();
    return undefined;
  }

  /** Runs the jobs that change an account's money by themselves. */
  async #sweep(accountId: string): Promise<void> {
    const { platform, context } = this.#world;
    await context().jobs.enqueue(context().em, 'accounts.credit-spend', { accountId });
    for (const job of ['orders-reconcile', 'orders-close', 'subscriptions-sweep']) await platform.queue.runNow(`accounts.${job}`);
  }

  /** Places a change. If the subscription has changed meanwhile, it prices the change again, after the earlier paid change is made. */
  async #change(owner: Owner, price: Parameters<SubscriptionWorld['termsOf']>[1]): Promise<string | undefined> {
    for (let tries = 1; ; tries++) {
      const code = codeOf(await this.#world.tryPlace(owner.person, await this.#changeOf(owner, price)));
      if (code !== 'offer_invalid' || tries === 5) return code;
      await this.#world.adjusted();
    }
  }

  async #changeOf({ subscriptionId: id }: Owner, price: Parameters<SubscriptionWorld['termsOf']>[1]): Promise<Partial<OfferTerms>> {
    const { version } = await this.#world.row(id);
    return this.#world.termsOf({ id, lines: [line(LINE.amountMinor)], basedOn: version }, price);
  }

  async owner(): Promise<Owner> {
    const person = await this.#world.account(`${this.#world.newKey()}@example.com`);
    const { id, order } = await this.#world.subscribe(person);
    const paid = [order.id];
    for (let more = 0; more < 3; more++) paid.push((await this.#world.buy(person)).id);
    // From here on credit pays, so that nothing waits for a card.
    await this.#world.grant(person.id, CREDIT_MINOR, this.#desk.viewer);
    return { person, subscriptionId: id, paid, transfer: '', coins: '' };
  }

  /** Renews the incoming payments for those of the named operations that need one. */
  async prepare(owner: Owner, names: readonly string[]): Promise<void> {
    const { newSubscription, termsOf, checkoutOf, sandbox } = this.#world;
    if (names.includes('transfer'))
      owner.transfer = await this.#place(owner.person, 'BANK_TRANSFER', termsOf({ id: newSubscription(), lines: [line(120_000)] }));
    if (!names.includes('coins')) return;
    owner.coins = await checkoutOf(await this.#place(owner.person, 'CRYPTO', await this.#changeOf(owner, { lines: [line(90_000)] })));
    // An owner whose credit covers the change has nothing to pay in coins.
    if (owner.coins === '') return;
    sandbox.crypto.pay(owner.coins, { amount: '950.00' });
    sandbox.crypto.confirm(owner.coins);
  }

  async #place({ id, viewer }: Person, method: string, terms: Partial<OfferTerms>): Promise<string> {
    const { ask, offer, newKey } = this.#world;
    // A slow machine answers `overloaded`.
    for (let tries = 1; ; tries++) {
      const answer = await ask(viewer, placeOrder('id', method), { offer: offer(id, terms), key: newKey() });
      if (codeOf(answer) !== 'overloaded' || tries === PLACE_TRIES) return dataOf<{ id: string }>(answer, 'orderPlace').id;
      await setTimeout(1_000);
    }
  }
}

/** The error code that a caller of the service would get: `overloaded` if it waits too long behind other work of the same account. */
const failureOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => toFailure(error).code,
  );

/** The answer to an operation: an error code, or `done`. */
export const answerOf = (operation: Operation | undefined, owner: Owner): Promise<string> =>
  (operation?.(owner) ?? Promise.resolve(undefined)).then(
    (code) => code ?? 'done',
    (error: unknown) => toFailure(error).code,
  );

/** `internal` is the one code that no operation may be answered. */
export const isFault = (code: string): boolean => code === 'internal';
