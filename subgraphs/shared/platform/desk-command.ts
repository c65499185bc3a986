// A command of the support desk: the same use case as on its pages, with the same permission, recorded as an act of whoever runs it.
import { parseArgs } from 'node:util';
import type { Context } from './context.ts';
import type { StaffPermission } from './staff-permissions.ts';
import { requirePermission } from './staff-rights.ts';
import { leavingTrail } from './staff-trail.ts';

/** `Words`: what the command line may give it. */
export interface DeskCommand<Ctx extends Context, Words extends object> {
  /** The permission that it needs. */
  permission: StaffPermission;
  /** What its usage shows after its name. Empty: it takes no word. */
  words: string;
  about: string;
  run(ctx: Ctx, words: Words): Promise<string>;
}

/** Runs a command as the viewer of `ctx`. Commands that change something are recorded as acts of that member of staff. Errors: permission_missing. */
export async function runCommand<Ctx extends Context, Words extends object>(
  ctx: Ctx,
  name: string,
  { permission, run }: DeskCommand<Ctx, Words>,
  words: Words,
): Promise<string> {
  requirePermission(ctx.viewer, permission);
  return run(leavingTrail(ctx, { act: name, permission, given: words }), words);
}

/** Wrong words on the command line: only this sentence is printed. */
export class Refusal extends Error {}

/** Reads an instant; null when none is given. */
export function momentOf(option: string, word: string | undefined): Date | null {
  if (word === undefined) return null;
  const at = new Date(word);
  if (Number.isNaN(at.getTime())) throw new Refusal(`--${option} takes an instant such as 2026-03-01T22:00Z, not ${word}.`);
  return at;
}

export const table = (rows: (string | number | null | undefined)[][]): string =>
  rows.map((row) => row.map((cell) => cell ?? '-').join('\t')).join('\n');

/** How the commands of a program are called: `program` with one line for each, and `note`. `width`: of the column with their words. */
export function usageOf(
  program: string,
  commands: Readonly<Record<string, Pick<DeskCommand<never, never>, 'words' | 'about'>>>,
  { width, note }: { width: number; note: string },
): string {
  const lines = Object.entries(commands).map(([name, { words, about }]) => `  ${`${name} ${words}`.padEnd(width)} ${about}`);
  return `Usage: npm run --silent ${program} -- COMMAND --by EMAIL\n${lines.join('\n')}\n${note}`;
}

/** What was typed on the command line. */
export interface TypedWords<Option extends string> {
  /** The name of a command, and the word after it. */
  name: string;
  of: string | undefined;
  /** Who does it. */
  by: string | undefined;
  given: Partial<Record<Option, string>>;
  /** Why nothing could be read: an option that no command has, or one without its value. */
  problem?: string;
}

export function typedWords<Option extends string>(options: readonly Option[], args = process.argv.slice(2)): TypedWords<Option> {
  const text = { type: 'string' } as const;
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: Object.fromEntries([...options, 'by'].map((option) => [option, text])),
    });
    const { by, ...given } = values as Partial<Record<string, string>>;
    const [name = '', of] = positionals;
    return { name, of, by, given: given as Partial<Record<Option, string>> };
  } catch (error) {
    return { name: '', of: undefined, by: undefined, given: {}, problem: (error as Error).message };
  }
}

/** The command that was typed. Throws what `refuse` makes of how the program is called, when there is none of that name, or words of it are missing. */
export function typedCommand<Found extends Pick<DeskCommand<never, never>, 'words'>>(
  commands: Readonly<Record<string, Found>>,
  { name, of, problem }: Pick<TypedWords<string>, 'name' | 'of' | 'problem'>,
  usage: string,
  refuse: (sentence: string) => Error,
): Found {
  const command = commands[name];
  if (problem !== undefined) throw refuse(`${problem}\n${usage}`);
  if (!command || (of === undefined && command.words !== '')) throw refuse(usage);
  return command;
}

/** Runs a command and prints its answer; `refuse` makes what is thrown for wrong words. Errors: those of `runCommand`. */
export async function printAnswer<Ctx extends Context, Words extends object>(
  ctx: Ctx,
  refuse: (sentence: string) => Error,
  ...[name, command, words]: [name: string, command: DeskCommand<Ctx, Words>, words: Words]
): Promise<void> {
  try {
    process.stdout.write(`${await runCommand(ctx, name, command, words)}\n`);
  } catch (error) {
    throw error instanceof Refusal ? refuse(error.message) : error;
  }
}
