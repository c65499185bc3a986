import { fail } from '#platform/errors.ts';

/** Printable ASCII without what files of answers read as their own: quotes, backslash, blanks; Windows wants capital and small letters and digits. */
const FIT = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[!#$%()*+,\-./0-9:;=?@A-Z[\]^_a-z{|}~]{12,72}$/;

/** A password that an owner has chosen for a server. Throws `parameter_invalid`. */
export function checkServerPassword(password: string): string {
  if (!FIT.test(password))
    throw fail('parameter_invalid', {
      field: 'password',
      reason:
        'A password has 12 to 72 letters, digits and signs, with capital and small letters and a digit, without spaces, quotes, &, < and >.',
    });
  return password;
}
