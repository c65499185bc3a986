// Runs one command line: finds the command, reads its words, and turns what happens into an exit code.
import { parseArgs } from 'node:util';
import { EgressRefusal, EgressUnreachable, createClient } from '../client/index.ts';
import type { Command, Context } from './command.ts';
import { Given, WrongUse } from './given.ts';
import { COMMANDS } from './commands/index.ts';
import { helpOf, usageOf } from './help.ts';
import { findKey } from './key.ts';
import { OPTIONS_OF_ALL } from './options-of-all.ts';
import type { Terminal } from './terminal.ts';

/** Exit codes; scripts go by them, so they stay what they are. */
export const EXIT = {
  done: 0,
  /** The API has said no: nothing of that id, a value that is not allowed. */
  refused: 1,
  /** The command line, or what it needs, is wrong. Nothing was asked. */
  wrongUse: 2,
  /** No answer, or the platform is busy or at fault: worth another try. */
  unreachable: 3,
  /** The key is not known, or may not do this. */
  notAllowed: 4,
  /** The key's requests of this minute are used up. */
  limited: 5,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** Resolves to the exit code. `retries`: as the client takes it. Throws what is a fault of the command itself. */
export async function run(words: readonly string[], terminal: Terminal, retries?: number): Promise<number> {
  const isJson = words.includes('--json');
  let atCtrlC: number = EXIT.interrupted;
  try {
    if (words.length === 0 || ['help', '--help', '-h'].includes(words[0] ?? '')) return said(terminal, helpOf(COMMANDS));
    const { command, rest } = commandOf(words);
    const given = givenOf(command, rest);
    if (given.has('help')) return said(terminal, usageOf(command));
    if (command.endless) atCtrlC = EXIT.done;
    const end = await command.run(await contextOf(command, given, terminal, retries));
    return terminal.signal.aborted ? atCtrlC : EXIT[end ?? 'done'];
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined && terminal.signal.aborted) return atCtrlC;
    if (code === undefined) throw error;
    terminal.err(isJson ? `${JSON.stringify({ error: factsOf(error as Error), exit_code: code })}\n` : sentenceOf(error as Error));
    return code;
  }
}

function said(terminal: Terminal, text: string): number {
  terminal.out(text);
  return EXIT.done;
}

/** The command of the longest name that the words begin with. */
function commandOf(words: readonly string[]): { command: Command; rest: string[] } {
  const begins = ({ name }: Command) => name.split(' ').every((word, index) => words[index] === word);
  const [command] = COMMANDS.filter(begins).toSorted((a, b) => b.name.length - a.name.length);
  if (command) return { command, rest: words.slice(command.name.split(' ').length) };
  const near = COMMANDS.filter(({ name }) => name.startsWith(`${words[0] ?? ''} `)).map(({ name }) => name);
  throw new WrongUse(near.length > 0 ? `Which one: ${near.join(', ')}?` : `There is no command ${words[0]}: \`egress help\` lists all.`);
}

function givenOf(command: Command, rest: string[]): Given {
  const options = { ...OPTIONS_OF_ALL, ...command.options };
  const types = Object.fromEntries(
    Object.entries(options).map(([name, { value }]) => [name, { type: value === undefined ? ('boolean' as const) : ('string' as const) }]),
  );
  const { values, positionals } = parsed(rest, types);
  const operands = command.operands ?? [];
  const [missing, extra] = [operands[positionals.length], positionals[operands.length]];
  const fault = missing === undefined ? extra && `${extra} is too much` : `${missing} is missing`;
  if (values['help'] !== true && fault !== undefined) throw new WrongUse(`${usageOf(command).split('\n')[0]}: ${fault}.`);
  return new Given({ ...values, ...Object.fromEntries(operands.map((name, index) => [name, positionals[index]])) });
}

function parsed(args: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new WrongUse((error as Error).message.split('. ')[0] ?? '');
  }
}

async function contextOf(command: Command, given: Given, terminal: Terminal, retries: number | undefined): Promise<Context> {
  const url = given.text('url') ?? terminal.env['EGRESS_URL'] ?? '';
  const isOffline = command.name === 'key save';
  if (!isOffline && !/^https?:\/\//.test(url)) throw new WrongUse('Where is the platform? Set EGRESS_URL, or say --url https://...');
  const key = isOffline ? '' : await findKey(terminal, given.text('key-file'));
  const isJson = given.has('json');
  return {
    client: createClient({ url, key, ...(retries !== undefined && { retries }) }),
    terminal,
    given,
    answer: (data, lines) => terminal.out(isJson ? `${JSON.stringify(data, null, 2)}\n` : lines.map((line) => `${line}\n`).join('')),
    answerOne: (data, line) => terminal.out(`${isJson ? JSON.stringify(data) : line}\n`),
  };
}

/** Undefined for what is a fault of the command. */
function codeOf(error: unknown): number | undefined {
  // Of the system: a file that cannot be written, a port that is taken.
  if (error instanceof WrongUse || (error as NodeJS.ErrnoException).syscall !== undefined) return EXIT.wrongUse;
  if (error instanceof EgressUnreachable) return EXIT.unreachable;
  if (!(error instanceof EgressRefusal)) return undefined;
  const { status } = error;
  if (status === 401 || status === 403) return EXIT.notAllowed;
  if (status === 429) return EXIT.limited;
  return status >= 500 ? EXIT.unreachable : EXIT.refused;
}

const factsOf = (error: Error): object =>
  error instanceof EgressRefusal
    ? { message: error.message, status: error.status, ...error.meta }
    : { message: error.message, code: error instanceof EgressUnreachable ? 'unreachable' : 'wrong_use' };

function sentenceOf(error: Error): string {
  if (!(error instanceof EgressRefusal)) return `egress: ${error.message}\n`;
  const { field, allowed, request_id: request } = error.meta;
  const accepted = allowed ? `\n  accepted: ${allowed.join(', ')}` : '';
  return `egress: ${error.message} (${error.code}${field === undefined ? '' : `, ${field}`})${accepted}\n  request ${request}\n`;
}
