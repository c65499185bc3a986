import { fail } from '#platform/errors.ts';

/** Refuses to sell something that is off the shelf. What is bought already runs on and renews. Errors: not_sold. */
export function mustBeSold(thing: { sold: boolean } | undefined): void {
  if (thing?.sold === false) throw fail('not_sold');
}
