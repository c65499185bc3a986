// Which plans a list shows, and in which order, as its address says.
import type { Plan } from '#lib/ops/residential-plan.ts';
import { planName } from './plan-label.ts';

export const planOrders = ['newest', 'name', 'remaining', 'today'] as const;
type PlanOrder = (typeof planOrders)[number];

export interface PlanChoice {
  words: string;
  show: 'working' | 'all';
  product: string;
  colour: string;
  order: PlanOrder;
}

/** What an address without a choice means is left out of it. */
export const choiceOf = (search: Pick<URLSearchParams, 'get'>): PlanChoice => ({
  words: search.get('q') ?? '',
  show: search.get('show') === 'all' ? 'all' : 'working',
  product: search.get('product') ?? '',
  colour: search.get('colour') ?? '',
  order: planOrders.find((order) => order === search.get('order')) ?? 'newest',
});

export function searchOf({ words, show, product, colour, order }: PlanChoice): string {
  const search = new URLSearchParams();
  if (words.trim()) search.set('q', words.trim());
  if (show !== 'working') search.set('show', show);
  if (product) search.set('product', product);
  if (colour) search.set('colour', colour);
  if (order !== 'newest') search.set('order', order);
  return String(search);
}

const compareBytes = (one: string, other: string) => (BigInt(one) < BigInt(other) ? -1 : BigInt(one) > BigInt(other) ? 1 : 0);

const compare: Record<PlanOrder, (one: Plan, other: Plan) => number> = {
  newest: () => 0,
  name: (one, other) => planName(one).localeCompare(planName(other)),
  remaining: (one, other) => compareBytes(one.usage.remainingBytes, other.usage.remainingBytes),
  today: (one, other) => compareBytes(other.usage.usedTodayBytes, one.usage.usedTodayBytes),
};

/** The plans, which come with the newest first, that have each of the words in their name, note, product or username. */
export function chosenPlans(plans: readonly Plan[], { words, show, product, colour, order }: PlanChoice): Plan[] {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
  return plans
    .filter((plan) => show === 'all' || plan.status !== 'EXPIRED')
    .filter((plan) => !product || plan.product.code === product)
    .filter((plan) => !colour || plan.label.colour === colour)
    .filter((plan) => {
      const text = [plan.label.name, plan.label.note, plan.product.name, plan.username].join('\n').toLowerCase();
      return parts.every((part) => text.includes(part));
    })
    .toSorted(compare[order]);
}
