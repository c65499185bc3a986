// The help of all commands, and of one.
import type { Command, Option } from './command.ts';
import { OPTIONS_OF_ALL } from './options-of-all.ts';

const line = ({ name, operands = [] }: Command): string => ['egress', name, ...operands].join(' ');

const rows = (pairs: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
};

const optionRows = (options: Readonly<Record<string, Option>>): string =>
  rows(Object.entries(options).map(([name, { value, says }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, says] as const));

export const helpOf = (commands: readonly Command[]): string =>
  `Plans, proxy lines, usage and webhooks of an account, by its API key.\n\n${rows(commands.map((command) => [line(command), command.says] as const))}\n` +
  `Each takes these, and --help of it says what else:\n${optionRows(OPTIONS_OF_ALL)}\n` +
  'Exit codes: 0 done, 1 refused, 2 wrong use, 3 no answer or 5xx, 4 the key may not, 5 limit of requests, 130 Ctrl-C.\n';

export function usageOf(command: Command): string {
  const own = command.options ? `\n${optionRows(command.options)}` : '';
  return `${line(command)}${command.options ? ' [options]' : ''}\n\n${command.says}\n${own}\nof all commands:\n${optionRows(OPTIONS_OF_ALL)}`;
}
