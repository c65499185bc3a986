// Lists that are read to their end, page after page.
import type { Address, Call, CallOptions } from './call.ts';

/** How a list goes on: by the number of the page, by `next` of the answer, or by the id of the last item. */
export type Paging = { by: 'page' | 'next'; list: string } | { by: 'last'; list: string; id: string };

type Page = Record<string, unknown>;

/** The items of all pages from the one that `input` asks for on. A page is asked for when all of the one before were taken. */
export async function* eachItem<Item>(
  call: Call,
  address: Address,
  paging: Paging,
  input: object,
  options?: CallOptions,
): AsyncGenerator<Item, void, undefined> {
  for (let go: object | undefined = {}; go !== undefined;) {
    const asked: Page = { ...input, ...go };
    const page: Page = await call<Page>(address, asked, options);
    const items = page[paging.list] as Item[];
    yield* items;
    go = nextOf(paging, page, items, asked);
  }
}

/** The inputs that ask for the next page; undefined: this was the last one. */
function nextOf(paging: Paging, page: Page, items: readonly unknown[], asked: Page): object | undefined {
  if (items.length === 0) return undefined;
  if (paging.by === 'next') return page['next'] === null ? undefined : { after: page['next'] };
  if (paging.by === 'last') return { after: (items.at(-1) as Page)[paging.id] };
  const number = Number(asked['page'] ?? 1);
  return number < Number(page['totalPages']) ? { page: number + 1 } : undefined;
}
