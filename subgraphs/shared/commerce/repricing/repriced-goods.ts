// What a repricing needs to know of a seller's plans or servers.
import type { EntityManager } from '#platform/database.ts';
import type { OfferLine } from '../offers.ts';
import type { Repricing } from './repricing-rows.ts';

/** A plan or server that a subscription pays for, locked. */
export interface Good {
  id: string;
  accountId: string;
  subscriptionId: string;
  /** What recurs at the price by which it runs, and at what its account pays for the item at a moment; in minor units before tax. */
  lines: OfferLine[];
  linesAt(moment: Date): OfferLine[];
}

export interface RepricedGoods<Ctx> {
  /** The items of the catalogue that subscriptions pay for. */
  items: readonly string[];
  /**
   * Ids after an id, ascending, of what one account or everybody runs of the item, was not priced by sales, and existed when the repricing was announced. Those
   * that wait for it already may be among them.
   */
  idsOf(em: EntityManager, repricing: Pick<Repricing, 'item' | 'accountId' | 'pricedAt'>, after: string, limit: number): Promise<string[]>;
  /** How many of these there are. */
  count(em: EntityManager, repricing: Pick<Repricing, 'item' | 'accountId' | 'pricedAt'>): Promise<number>;
  /** Locks one until the transaction ends; undefined when it has ended. */
  lock(ctx: Ctx, id: string): Promise<Good | undefined>;
}
