import { fail } from '#platform/errors.ts';

/** Something that is off the shelf is sold to nobody; what is bought runs on, and renews. Errors: not_sold. */
export function mustBeSold(thing: { sold: boolean } | undefined): void {
  if (thing?.sold === false) throw fail('not_sold');
}
