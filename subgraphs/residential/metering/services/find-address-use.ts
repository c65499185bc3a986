// Finds who used an address at a time, for complaints.
import { ADDRESS_USE_MINUTES } from '../../../../schema/limits.ts';
import { MINUTE, after } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import { type AddressUse, toUsedAddress, usesOf } from '../domain/address-use.ts';
import { addressUses } from '../entities/address-use.ts';
import type { Context } from '../context.ts';

/** Rows of plan, session, client and host. If an address has more within the span, the span should be shorter. */
const MAX_ROWS = 2_000;
const MAX_LENGTH = 64;

export interface AddressQuestion {
  /** An address that targets saw, or the id of an exit. */
  address: string;
  at: Date;
  /** Minutes before and after `at`. */
  minutes?: number | undefined;
}

/** Uses with the most bytes first. Throws `parameter_invalid`. */
export async function findAddressUse(
  { em }: Context,
  { address, at, minutes = ADDRESS_USE_MINUTES.default }: AddressQuestion,
): Promise<AddressUse[]> {
  if (!(minutes >= 1 && minutes <= ADDRESS_USE_MINUTES.max))
    throw fail('parameter_invalid', {
      field: 'minutes',
      reason: because('number_out_of_range', { name: 'minutes', max: ADDRESS_USE_MINUTES.max }),
    });
  const where = toUsedAddress(address.slice(0, MAX_LENGTH));
  const span = { from: after(at, -minutes * MINUTE), to: after(at, minutes * MINUTE) };
  return usesOf(await addressUses(em, where, span, MAX_ROWS));
}
