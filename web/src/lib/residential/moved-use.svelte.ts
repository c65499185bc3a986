// When to ask again for what the API sums up: once figures have moved, at most every two seconds.
import type { Plan } from '#lib/ops/residential-plan.ts';

/** Reads as the plan's use when it was last taken notice of, so that whatever reads it asks again. */
export function movedUse(plan: () => Plan): { readonly usedBytes: string } {
  let moved = $state('');
  $effect(() => {
    const next = plan().usage.usedBytes;
    if (moved === next) return;
    const timer = setTimeout(() => (moved = next), moved === '' ? 0 : 2_000);
    return () => clearTimeout(timer);
  });
  return {
    get usedBytes() {
      return moved;
    },
  };
}
