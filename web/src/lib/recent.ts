// Where somebody went by the palette, the latest first; kept in this browser until the sign-out.
import { ACTING_KEY } from './acting.svelte.ts';
import { DISPLAY_KEY } from './display.svelte.ts';

const KEY = 'recent';
const COUNT = 5;

export interface Visited {
  href: string;
  label: string;
}

const isVisited = (value: unknown): value is Visited =>
  typeof value === 'object' &&
  value !== null &&
  'href' in value &&
  typeof value.href === 'string' &&
  // A page of ours, whatever has written it there.
  /^\/(?!\/)/.test(value.href) &&
  'label' in value &&
  typeof value.label === 'string';

/** Empty where the browser keeps nothing. */
export function recent(): Visited[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isVisited).slice(0, COUNT) : [];
  } catch {
    return [];
  }
}

export function remember(visited: Visited): void {
  const others = recent().filter(({ href }) => href !== visited.href);
  try {
    localStorage.setItem(KEY, JSON.stringify([visited, ...others].slice(0, COUNT)));
  } catch {
    // A browser that keeps nothing has no list.
  }
}

/** At the sign-out: what this browser keeps of the account. */
export function forget(): void {
  try {
    for (const key of [KEY, DISPLAY_KEY, ACTING_KEY]) localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
