// Numbers committed events: soon after each commit that appended any, by the process that committed, one transaction at a time.
import type { EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';

/** One sequencer per ORM, found by the ORM's driver, which all forks of an entity manager share. */
const sequencers = new WeakMap<object, EventSequencer>();

/**
 * Numbers the committed events, and wakes the readers of all processes once. When it resolves, every event that was committed before the call has a number.
 * Throws when the database does not answer.
 */
export async function numberEvents(em: EntityManager): Promise<void> {
  await em.getConnection().execute('select platform.number_events()');
}

/** Call it after appending: the events are numbered once the transaction of `em` is committed; at once without a transaction. */
export const numberWhenCommitted = (em: EntityManager): void => sequencers.get(em.getDriver())?.expect(em);

/** Follows the transactions of one ORM. When a process dies before it has numbered its events, the next reader that looks does it. */
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

  /** One statement at a time: events that are committed meanwhile are numbered together. */
  async #number(): Promise<void> {
    if (this.#numbering || !this.#em) {
      this.#again = true;
      return;
    }
    this.#numbering = true;
    do {
      this.#again = false;
      // When the database does not answer, the readers try again later.
      await numberEvents(this.#em).catch(() => {});
    } while (this.#again);
    this.#numbering = false;
  }
}
