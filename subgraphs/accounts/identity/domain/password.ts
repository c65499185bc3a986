// Which passwords are accepted. NIST SP 800-63B: length and a list of common ones, no rules about kinds of characters.
import { fail } from '#platform/errors.ts';
import { MOST_USED_PASSWORDS } from './most-used-passwords.ts';

/** Characters. */
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const;

/** Words of this service, as passwords: whoever guesses for one service tries them first. */
const OF_THIS_SERVICE = /^(egress|proxy|proxies|residential|datacenter|support|account)[\W\d_]*$/;

/** One form of Unicode, NFKC, so that one keyboard's accents match another's: what is judged, hashed and compared. */
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
 * What nobody sees in an address, and what steers a terminal or the direction of a line: control, format and invisible characters, halves of
 * characters. Two addresses that look the same would otherwise be two accounts. Scripts may be mixed (RFC 6531): which of them look alike is not ours
 * to say.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Plausible, not provable: the verification link proves it. Throws `email_invalid`. */
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
