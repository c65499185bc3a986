import { fail } from '#platform/errors.ts';
import { PAGE_PATH } from '../../../../schema/limits.ts';

/** Who asks for a link by mail. */
export interface LinkAsked {
  email: string;
  /** The page that the reader is on the way to, which the link carries on. */
  next?: string | null | undefined;
}

/** The page of this site that a visitor is on the way to; null: none. Throws parameter_invalid for anything else. */
export function checkNext(next: string | null | undefined): string | null {
  if (next == null) return null;
  if (!PAGE_PATH.test(next)) throw fail('parameter_invalid', { field: 'next' });
  return next;
}
