// From one account to another. The page is loaded anew, so that no data of the former account stays in memory; other tabs of this browser share the session, and
// do the same.
import { ACTING_KEY } from '#lib/acting.svelte.ts';
import { leaveTo } from '#lib/operation.svelte.ts';

const SWITCHED_KEY = 'switched';

/** To be called once the session acts in the other account. */
export function arrive(): Promise<never> {
  try {
    localStorage.removeItem(ACTING_KEY);
    localStorage.setItem(SWITCHED_KEY, String(Date.now()));
  } catch {
    // Other tabs notice by what they are refused.
  }
  return leaveTo('/home');
}

/** Leads this tab to the account that another tab has switched to; returns the function that ends this. */
export function followSwitch(): () => void {
  const heard = ({ key }: StorageEvent) => {
    if (key === SWITCHED_KEY) location.assign('/home');
  };
  addEventListener('storage', heard);
  return () => removeEventListener('storage', heard);
}
