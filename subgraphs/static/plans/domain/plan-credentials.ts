// Credentials, labels and lists of clients that owners choose. A line is IP:PORT:USER:PASS, so username and password cannot have a colon.
import { toClientNetworks } from '#platform/client-networks.ts';
import { because, fail } from '#platform/errors.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';

/** Characters. */
export const USERNAME_LENGTH = { min: 6, max: 32 } as const;
/** Characters. The minimum makes guessing at a proxy hopeless. */
export const PASSWORD_LENGTH = { min: 10, max: 64 } as const;

const USERNAME = new RegExp(`^[A-Za-z0-9_]{${USERNAME_LENGTH.min},${USERNAME_LENGTH.max}}$`);
/** Only characters that need no escaping in a URL. */
const PASSWORD = new RegExp(`^[A-Za-z0-9_.~-]{${PASSWORD_LENGTH.min},${PASSWORD_LENGTH.max}}$`);

export const ALLOWED_ADDRESSES_MAX = 50;

/** Throws `parameter_invalid`. */
export function checkUsername(username: string): void {
  if (!USERNAME.test(username))
    throw fail('parameter_invalid', { field: 'username', reason: because('proxy_username_unfit', USERNAME_LENGTH) });
}

/** Throws `parameter_invalid`. */
export function checkPassword(password: string): void {
  if (!PASSWORD.test(password))
    throw fail('parameter_invalid', {
      field: 'password',
      reason: because('proxy_password_unfit', PASSWORD_LENGTH),
    });
}

/** The list as it is stored: trimmed and deduped. Throws `parameter_invalid`. */
export const toAllowedAddresses = (given: readonly string[]): string[] => toClientNetworks(given, 'addresses', ALLOWED_ADDRESSES_MAX);

/** The label as it is stored; null when it is empty, which removes it. Throws `parameter_invalid`. */
export function toLabel(given: string | null | undefined): string | null {
  const label = given?.trim() ?? '';
  if (label.length > TEXT_MAX.staticLabel)
    throw fail('parameter_invalid', { field: 'label', reason: because('plan_label_too_long', { max: TEXT_MAX.staticLabel }) });
  return label === '' ? null : label;
}
