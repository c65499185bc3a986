// Whether the first steps are shown: until all are done, or until the reader hides them on this device.
import { query } from '#lib/live.svelte.ts';
import { FirstSteps, type FirstStepsPlan } from '#lib/ops/home.ts';
import type { Plan } from '#lib/ops/residential-plan.ts';

const KEY = 'first-steps-hidden';

/** A browser may refuse storage; then the steps go when they are done. */
const readHidden = (): boolean => {
  try {
    return localStorage.getItem(KEY) === '1';
  } catch {
    return false;
  }
};

interface FirstStepsState {
  readonly plan: Plan | undefined;
  readonly known: FirstStepsPlan | undefined;
  /** Whether it is not known yet if they are shown. */
  readonly waiting: boolean;
  readonly shown: boolean;
  hide(): void;
}

/** `plan`: the account's only plan; undefined while there is none, or are several. */
export function firstSteps(plan: () => Plan | undefined): FirstStepsState {
  let hidden = $state(readHidden());
  const id = $derived(hidden ? undefined : plan()?.id);
  const asked = query(FirstSteps, () => (id === undefined ? null : { id }), 'network-only');
  const known = $derived(id === undefined ? undefined : asked.data?.residentialPlan);
  const done = $derived(known !== undefined && !known.alerts.isDefault && BigInt(plan()?.usage.usedBytes ?? 0) > 0n);
  return {
    get plan() {
      return plan();
    },
    get known() {
      return known;
    },
    get waiting() {
      return id !== undefined && known === undefined && !asked.failure;
    },
    get shown() {
      return known !== undefined && !done;
    },
    hide() {
      hidden = true;
      try {
        localStorage.setItem(KEY, '1');
      } catch {
        // They come back with the next visit.
      }
    },
  };
}
