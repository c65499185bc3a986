// The processor's lists: newest first, in pages that continue after an object's id.
import { invalid, noSuch } from './fault.ts';
import { integer, range, text } from './shape.ts';

/** The parameters of every list. */
export const pageFields = { limit: integer(1, 100), starting_after: text(), ending_before: text() };
/** The parameters of lists that can also be filtered by creation time. */
export const datedPageFields = { ...pageFields, created: range };

interface PageInput {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
}

export interface ListPage<Item> {
  object: 'list';
  url: string;
  has_more: boolean;
  data: Item[];
}

const PAGE_SIZE = 10;

/** One page of `items`, which must be oldest first. */
export function pageOf<Item extends { id: string }>(url: string, items: Item[], input: PageInput): ListPage<Item> {
  const newestFirst = items.toReversed();
  const limit = input.limit ?? PAGE_SIZE;
  if (input.starting_after !== undefined && input.ending_before !== undefined) {
    throw invalid('You cannot parameterize both starting_after and ending_before.', undefined, 'ending_before');
  }
  const indexOf = (id: string, param: string): number => {
    const index = newestFirst.findIndex((item) => item.id === id);
    if (index < 0) throw noSuch('object', id, param);
    return index;
  };
  if (input.ending_before !== undefined) {
    const end = indexOf(input.ending_before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', url, has_more: start > 0, data: newestFirst.slice(start, end) };
  }
  const start = input.starting_after === undefined ? 0 : indexOf(input.starting_after, 'starting_after') + 1;
  return { object: 'list', url, has_more: start + limit < newestFirst.length, data: newestFirst.slice(start, start + limit) };
}
