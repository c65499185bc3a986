// A list that is loaded one page at a time.
import type { Failure } from './failure.ts';

interface Answer<Item> {
  page?: { items: Item[]; next: string | null } | undefined;
  failure?: Failure | undefined;
}

export interface Pages<Item> {
  /** Undefined before the first page. */
  readonly items: Item[] | undefined;
  readonly failure: Failure | undefined;
  readonly busy: boolean;
  /** Whether there is another page. */
  readonly more: boolean;
  /** Loads the next page; after a failure, the same page again. */
  load(): Promise<void>;
}

/** Loads the first page at once. `after`: the cursor at the end of the previous page. */
export function pages<Item>(ask: (after: string | null) => Promise<Answer<Item>>): Pages<Item> {
  let state = $state.raw<{ items?: Item[]; next: string | null; failure?: Failure | undefined; busy: boolean }>({
    next: null,
    busy: false,
  });
  async function load() {
    state = { ...state, busy: true };
    const { page, failure } = await ask(state.next);
    const read = page && { items: [...(state.items ?? []), ...page.items], next: page.next };
    state = { ...state, ...read, failure, busy: false };
  }
  void load();
  return {
    get items() {
      return state.items;
    },
    get failure() {
      return state.failure;
    },
    get busy() {
      return state.busy;
    },
    get more() {
      return state.next !== null;
    },
    load,
  };
}
