// What the commands of support's desk share: the options that they take, and how they answer.
import { readFile } from 'node:fs/promises';
import { after } from '#platform/clock.ts';
import { type DeskCommand, Refusal } from '#platform/desk-command.ts';
import { type Account, accountWithEmail } from '../identity/entities/account.ts';
import type { GivenText } from '../identity/domain/local-text.ts';
import type { Context } from '../context.ts';
import { toSpan } from '../keys/domain/api-key.ts';
import { accountFor } from '../identity/services/staff.ts';

/** The options that commands take, besides `--by`. */
export const OPTIONS = [
  'overlap',
  'ceiling',
  'expires',
  'scopes',
  'addresses',
  'request',
  'amount',
  'reference',
  'service',
  'when',
  'kind',
  'terms',
  'until',
  'offer',
  'from',
  'to',
  'format',
  'reason',
  'impact',
  'title',
  'roles',
  'codes',
  'generate',
  'periods',
  'items',
  'uses',
  'en',
  'de',
] as const;

export interface Words extends Partial<Record<(typeof OPTIONS)[number], string | undefined>> {
  /** The word after the command; empty for a command that takes none. */
  of: string;
}

export type Command = DeskCommand<Context, Words>;

/** A word of the command line as one of a set, whatever its letter case. */
export function oneOf<Value extends string>(values: readonly Value[], option: string, word: string | undefined): Value {
  const found = values.find((value) => value === word?.toUpperCase());
  if (!found) throw new Refusal(`${option} is one of ${values.join(', ').toLowerCase()}.`);
  return found;
}

/** Reads a text in English, and in German where one follows after a bar. */
export function localTextOf(option: string, word: string | undefined): GivenText {
  const [en = '', de] = (word ?? '').split('|');
  if (en.trim() === '') throw new Refusal(`--${option} is "ENGLISH" or "ENGLISH | GERMAN".`);
  return { en, ...(de !== undefined && { de }) };
}

/** Reads the file that an option names; undefined when none is given. */
export async function textIn(option: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new Refusal(`--${option} names a file that can be read, not ${path}.`);
  }
}

/** Finds an account by its e-mail address or id. Errors: account_not_found. */
export const accountOf = async (ctx: Context, word: string): Promise<Account> =>
  (word.startsWith('acct_') ? null : await accountWithEmail(ctx.em, word)) ?? accountFor(ctx, word);

/** Reads a span such as "30d" or "12h", and returns the instant after it from now; null when none is given. */
export function toMoment(ctx: Context, option: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const span = toSpan(text);
  if (span === undefined) throw new Refusal(`--${option} takes days or hours such as 30d or 12h, not ${text}.`);
  return after(ctx.clock.now(), span);
}
