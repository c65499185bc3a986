// Reaction to what sellers say of the cost of a day.
import type { EventOf } from '#platform/events.ts';
import type { FinanceContext } from '../context.ts';
import { storeCountedDay } from '../entities/product-cost.ts';

/** `costs.counted`: replaces what was said of that day. */
export const storeCosts = ({ em }: Pick<FinanceContext, 'em'>, { at, data }: EventOf<'costs.counted'>): Promise<void> =>
  storeCountedDay(em, { ...data, countedAt: at });
