// What a command is: its words, its options, and what it does with the client.
import type { EgressClient } from '../client/index.ts';
import type { Given } from './given.ts';
import type { Terminal } from './terminal.ts';

export interface Option {
  /** How the value is named in the help; without it, the option takes none. */
  value?: string;
  says: string;
}

export interface Command {
  /** `webhooks create`: the words that it is called by. */
  name: string;
  /** The words after the name, all of them needed, by their names in the help. */
  operands?: readonly string[];
  options?: Readonly<Record<string, Option>>;
  says: string;
  /** Whether it runs until Ctrl-C, which is then its good end. */
  endless?: boolean;
  /** `refused`: what was asked for has failed, and the answer says why. */
  run(context: Context): Promise<void | 'refused'>;
}

export interface Context {
  client: EgressClient;
  terminal: Terminal;
  /** The given words, by the names of the operands and options. */
  given: Given;
  /** Prints an answer: the data with --json, else the lines. */
  answer(data: unknown, lines: readonly string[]): void;
  /** The same for one of many: a line of JSON with --json. */
  answerOne(data: unknown, line: string): void;
}
