// The moment, once a second, for times that are left and ages of figures; every deadline itself comes from the API.
import { createSubscriber } from 'svelte/reactivity';

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 1_000);
  return () => clearInterval(timer);
});

/** Milliseconds until an instant, never negative; follows the clock where it is read in a component. */
export function millisecondsUntil(instant: string): number {
  subscribe();
  return Math.max(0, Date.parse(instant) - Date.now());
}

/** Milliseconds since a moment, never negative; follows the clock where it is read in a component. */
export function millisecondsSince(moment: number): number {
  subscribe();
  return Math.max(0, Date.now() - moment);
}
