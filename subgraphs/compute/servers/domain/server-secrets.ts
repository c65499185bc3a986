// Passwords and user data of a server, and the contexts to which they are sealed.
import { because, fail } from '#platform/errors.ts';
import { randomBase62 } from '#platform/secrets.ts';

/** Characters of a password that an owner chooses. */
export const PASSWORD_LENGTH = { min: 12, max: 72 } as const;

/** Printable ASCII without characters that have a meaning in installers' answer files: quotes, backslash, blanks. Windows needs capital and small letters and digits. */
const FIT = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[!#$%()*+,\-./0-9:;=?@A-Z[\]^_a-z{|}~]+$/;

/** Checks a password that an owner has chosen for a server. Throws `parameter_invalid`. */
export function checkServerPassword(password: string): string {
  if (password.length < PASSWORD_LENGTH.min || password.length > PASSWORD_LENGTH.max || !FIT.test(password))
    throw fail('parameter_invalid', {
      field: 'password',
      reason: because('server_password_unfit', PASSWORD_LENGTH),
    });
  return password;
}

/** A random password of 20 characters; Windows needs capital and small letters and digits. */
export function newPassword(): string {
  for (;;) {
    const password = randomBase62(20);
    if (/[A-Z]/.test(password) && /[a-z]/.test(password) && /\d/.test(password)) return password;
  }
}

/** The context to which a password is sealed. */
export const passwordPlace = (serverId: string): string => `password of ${serverId}`;

/** The context to which user data is sealed: the subscription, since the server has no id yet when it is given. */
export const userDataPlace = (subscriptionId: string): string => `user data of ${subscriptionId}`;
