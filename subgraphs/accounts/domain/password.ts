// Which passwords are accepted. NIST SP 800-63B: length and a list of common ones, no rules about kinds of characters.
import { fail } from '#shared/errors.ts';

const SHORTEST = 8;
const LONGEST = 128;

/** The most used passwords of eight and more characters, in lower case. */
const COMMON = new Set(
  `12345678 123456789 1234567890 12345678910 11111111 00000000 87654321 password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword
  qwertyui qwertyuiop qwerty123 qwerty12 qwerty1234 1q2w3e4r 1q2w3e4r5t q1w2e3r4 1qaz2wsx zaq12wsx qazwsxedc asdfghjk asdfghjkl zxcvbnm1 iloveyou iloveyou1
  sunshine princess football baseball basketball superman trustno1 letmein1 welcome1 welcome123 admin123 administrator changeme changeme1 whatever starwars
  michelle jennifer computer corvette internet samsung1 maverick mercedes liverpool chelsea1 arsenal1 charlie1 jordan23 dragon123 monkey123 master123
  shadow123 abc12345 abcd1234 abcdefgh abcdefg1 a1b2c3d4 11223344 12341234 123123123 1231231231 55555555 66666666 77777777 88888888 99999999 10203040
  secret123 hello123 freedom1 babygirl lovely123 michael1 jessica1 ashley123 nicole123 daniel123 andrew123 killer123 hunter12 pokemon1 minecraft q1w2e3r4t5
  zaq1zaq1 qweasdzxc qwe123456 asd123456 google123 facebook linkedin dropbox1 testtest test1234 test12345 temp1234 guest123 default1 root1234 toor1234`.split(
    /\s+/,
  ),
);

/** Throws `password_unfit`. An address as its own password is refused too. */
export function checkPassword(password: string, email: string): void {
  const length = [...password].length;
  const lower = password.toLowerCase();
  if (length < SHORTEST || length > LONGEST || COMMON.has(lower) || lower === email.toLowerCase())
    throw fail('password_unfit', { field: 'password' });
}

/** Plausible, not provable: the verification link proves it. Throws `email_invalid`. */
export function checkEmail(email: string): string {
  const trimmed = email.trim();
  if (trimmed.length > 254 || !/^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:"]{2,}$/u.test(trimmed))
    throw fail('email_invalid', { field: 'email' });
  return trimmed;
}
