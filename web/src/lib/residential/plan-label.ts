// What a plan is called, and the colours that its owner may give it.
import type { Plan } from '#lib/ops/residential-plan.ts';

/** The name that the owner has given it, else that of its product. */
export const planName = ({ label, product }: Pick<Plan, 'label' | 'product'>): string => label.name || product.name;

export type PlanColour = NonNullable<Plan['label']['colour']>;

/** Each has 3:1 against both grounds; the name beside it always tells the plan as well. */
export const planColours: Record<PlanColour, string> = {
  GREEN: 'bg-[#16a06f]',
  BLUE: 'bg-[#3b82d6]',
  VIOLET: 'bg-[#8b5cd6]',
  PINK: 'bg-[#d6478f]',
  AMBER: 'bg-[#b8790b]',
  GREY: 'bg-[#7b8782]',
};
