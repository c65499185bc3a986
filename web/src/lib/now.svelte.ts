// A clock that ticks once a second, for remaining times and ages; the deadlines themselves come from the API.
import { createSubscriber } from 'svelte/reactivity';

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 1_000);
  return () => clearInterval(timer);
});

/** Milliseconds until an instant, never negative. A component that reads it is updated every second. */
export function millisecondsUntil(instant: string): number {
  subscribe();
  return Math.max(0, Date.parse(instant) - Date.now());
}

/** Milliseconds since a moment, never negative. A component that reads it is updated every second. */
export function millisecondsSince(moment: number): number {
  subscribe();
  return Math.max(0, Date.now() - moment);
}

/** The present moment in milliseconds. A component that reads it is updated every second. */
export const presentMoment = (): number => millisecondsSince(0);
