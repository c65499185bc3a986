// A paginated list, newest first: ids are in order of time, and the last id of a page is the cursor of the next page.
import { fail } from './errors.ts';

export interface IdPage<Row> {
  items: Row[];
  /** `after` of the next page; null: there is none. */
  next: string | null;
}

export interface PageAsked {
  first: number;
  after?: string | null | undefined;
}

const MAX_PAGE_SIZE = 100;

/** Reads one row more than a page has, to know whether another page follows. Errors: limit_invalid (1 to 100). */
export async function pageById<Row extends { id: string }>(
  { first, after }: PageAsked,
  read: (limit: number, after: string | undefined) => Promise<Row[]>,
): Promise<IdPage<Row>> {
  if (first < 1 || first > MAX_PAGE_SIZE) throw fail('limit_invalid', { field: 'first' });
  const rows = await read(first + 1, after ?? undefined);
  const items = rows.slice(0, first);
  return { items, next: rows.length > first ? (items.at(-1)?.id ?? null) : null };
}
