// Recovery codes: an account has ten, and each allows one log-in without the second factor. A code has 120 random bits, so a fast hash of it is safe to store
// (OWASP ASVS 5, 6.5.2: from 112 bits on).
import { randomBytes } from 'node:crypto';

export const RECOVERY_CODES = 10;

/** Without the letters that are mistaken for others or for digits: i, l, o, u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 6;
const GROUP_LENGTH = 4;

/** `k3xq-9d0r-...`: six groups of four. */
export const newRecoveryCode = (): string => {
  const letters = [...randomBytes(GROUPS * GROUP_LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length));
  return Array.from({ length: GROUPS }, (_, group) => letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join('')).join('-');
};

/** The form of a code that is hashed: people may leave out the dashes and write it in capitals. */
export const plainCode = (code: string): string => code.toLowerCase().replace(/[^0-9a-z]/g, '');
