// Which passwords are accepted. As NIST SP 800-63B advises: a length and a list of common ones, but no rules about kinds of characters.
import { fail } from '#platform/errors.ts';
import { MOST_USED_PASSWORDS } from './most-used-passwords.ts';

/** Characters. */
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const;

/** Words of this service are refused as passwords: whoever guesses passwords for it tries them first. */
const OF_THIS_SERVICE = /^(egress|proxy|proxies|residential|datacenter|support|account)[\W\d_]*$/;

/** Normalizes a password to NFKC before it is judged, hashed or compared, so that accents typed on different keyboards match. */
export const normalizePassword = (password: string): string => password.normalize('NFKC');

/** Throws `password_unfit`. An address as its own password is refused too. */
export function checkPassword(password: string, email: string): void {
  const lower = normalizePassword(password).toLowerCase();
  const length = [...lower].length;
  if (
    length < PASSWORD_LENGTH.min ||
    length > PASSWORD_LENGTH.max ||
    MOST_USED_PASSWORDS.has(lower) ||
    OF_THIS_SERVICE.test(lower) ||
    lower === email.toLowerCase()
  )
    throw fail('password_unfit', { field: 'password' });
}

/**
 * Characters that are refused in addresses: control, format and invisible characters, and halves of characters. Some cannot be seen, so that two addresses that
 * look the same would be two accounts; others steer a terminal or the direction of a line. Scripts may be mixed (RFC 6531): we do not judge which of them look
 * alike.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Checks that an address is plausible, and trims it; only the verification link proves it. Throws `email_invalid`. */
export function checkEmail(email: string): string {
  const trimmed = email.trim();
  if (
    trimmed.length > 254 ||
    UNSEEN.test(trimmed) ||
    !/^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:"]{2,}$/u.test(trimmed)
  )
    throw fail('email_invalid', { field: 'email' });
  return trimmed;
}
