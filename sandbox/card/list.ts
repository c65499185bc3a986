// The processor's list shape: newest first, in pages that follow on from an object's id.
import { invalid, noSuch } from './fault.ts';
import { integer, range, text } from './shape.ts';

/** Parameters of every list. */
export const pageFields = { limit: integer(1, 100), starting_after: text(), ending_before: text() };
/** Those of a list that can be narrowed by time of creation, too. */
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

/** One page of `items`, which are given oldest first. */
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
