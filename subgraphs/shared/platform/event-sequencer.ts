// Gives committed events their numbers: soon after each commit that appended any, by whichever process made it, one transaction at a time.
import type { EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';

/** One for each ORM, found by its driver, which all forks of an entity manager share. */
const sequencers = new WeakMap<object, EventSequencer>();

/**
 * Numbers what is committed, and wakes the readers of all processes once for it. When it resolves, whatever was committed before the call has a number.
 * Throws when the database does not answer.
 */
export async function numberEvents(em: EntityManager): Promise<void> {
  await em.getConnection().execute('select platform.number_events()');
}

/** To be called by whoever appends: the events get their numbers once the transaction of `em` is committed, at once without one. */
export const numberWhenCommitted = (em: EntityManager): void => sequencers.get(em.getDriver())?.expect(em);

/** Follows the transactions of one ORM. A process that dies before it has numbered leaves that to the next look of any reader. */
export class EventSequencer implements EventSubscriber {
  /** Transactions in which events were appended. */
  readonly #appending = new WeakSet<object>();
  /** Savepoint -> the transaction around it. */
  readonly #outer = new WeakMap<object, object>();
  /** Entity manager -> the transaction in which it is about to set a savepoint. */
  readonly #beginning = new WeakMap<object, object>();
  #em: EntityManager | undefined;
  #numbering = false;
  #again = false;

  follow(em: EntityManager): void {
    this.#em = em;
    sequencers.set(em.getDriver(), this);
  }

  expect(em: EntityManager): void {
    const transaction = em.getTransactionContext<object>();
    if (transaction) this.#appending.add(this.#outermost(transaction));
    else void this.#number();
  }

  beforeTransactionStart({ em, transaction }: TransactionEventArgs): void {
    if (transaction) this.#beginning.set(em, transaction);
    else this.#beginning.delete(em);
  }

  afterTransactionStart({ em, transaction }: TransactionEventArgs): void {
    const outer = this.#beginning.get(em);
    if (outer && transaction) this.#outer.set(transaction, outer);
  }

  afterTransactionCommit({ transaction }: TransactionEventArgs): void {
    if (transaction && this.#appending.has(transaction)) void this.#number();
  }

  #outermost(transaction: object): object {
    const outer = this.#outer.get(transaction);
    return outer ? this.#outermost(outer) : transaction;
  }

  /** One statement at a time: what is committed meanwhile is numbered together. */
  async #number(): Promise<void> {
    if (this.#numbering || !this.#em) {
      this.#again = true;
      return;
    }
    this.#numbering = true;
    do {
      this.#again = false;
      // A database that does not answer now is asked again by the readers.
      await numberEvents(this.#em).catch(() => {});
    } while (this.#again);
    this.#numbering = false;
  }
}
