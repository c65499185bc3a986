// Credentials, labels and client lists that owners choose. A line is IP:PORT:USER:PASS, so that no part may hold a colon.
import { isIP, isIPv4 } from 'node:net';
import { because, fail } from '#platform/errors.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';

/** Characters. */
export const USERNAME_LENGTH = { min: 6, max: 32 } as const;
/** Characters: long enough that nobody guesses it at a proxy. */
export const PASSWORD_LENGTH = { min: 10, max: 64 } as const;

const USERNAME = new RegExp(`^[A-Za-z0-9_]{${USERNAME_LENGTH.min},${USERNAME_LENGTH.max}}$`);
/** Only what needs no escaping in an URL. */
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
export function toAllowedAddresses(given: readonly string[]): string[] {
  const list = [...new Set(given.map((each) => each.trim().toLowerCase()).filter(Boolean))];
  if (list.length > ALLOWED_ADDRESSES_MAX)
    throw fail('parameter_invalid', {
      field: 'addresses',
      reason: because('clients_too_many', { max: ALLOWED_ADDRESSES_MAX }),
    });
  const wrong = list.find((each) => !isAddressOrNetwork(each));
  if (wrong !== undefined)
    throw fail('parameter_invalid', {
      field: 'addresses',
      reason: because('client_unfit', { address: wrong }),
    });
  return list;
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || !isIP(address)) return false;
  return (
    bits === undefined ||
    (/^\d{1,3}$/.test(bits) && Number(bits) >= (isIPv4(address) ? 8 : 16) && Number(bits) <= (isIPv4(address) ? 32 : 128))
  );
}

/** Null takes a label away. Throws `parameter_invalid`. */
export function toLabel(given: string | null | undefined): string | null {
  const label = given?.trim() ?? '';
  if (label.length > TEXT_MAX.staticLabel)
    throw fail('parameter_invalid', { field: 'label', reason: because('plan_label_too_long', { max: TEXT_MAX.staticLabel }) });
  return label === '' ? null : label;
}
