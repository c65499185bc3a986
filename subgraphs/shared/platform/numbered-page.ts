// Pages of lists by their number. Spec, Limits: at most 100 to a page.
import { fail } from './errors.ts';

const PAGE_LIMIT_MAX = 100;

export interface NumberedPage {
  page: number;
  limit: number;
}

/** How many rows to skip. Throws `page_invalid` or `limit_invalid`. */
export function offsetOf({ page, limit }: NumberedPage): number {
  if (!Number.isInteger(page) || page < 1) throw fail('page_invalid', { field: 'page' });
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_LIMIT_MAX) throw fail('limit_invalid', { field: 'limit' });
  return (page - 1) * limit;
}

/** Spec is silent: an empty list has 0 pages. */
export const pageCountOf = (total: number, limit: number): number => Math.ceil(total / limit);
