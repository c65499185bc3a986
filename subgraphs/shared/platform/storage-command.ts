// Runs an operator's command on the database and files of an installation. It needs no vendor's credentials and no running platform.
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { type StorageConfig, readStorageConfig } from './config.ts';
import { environment } from './environment.ts';
import { StartFailure, sentenceOf } from './start-failure.ts';

/** `opened` is disposed after the command. */
export interface StorageTask {
  config: StorageConfig;
  environment: Record<string, string | undefined>;
  words: string[];
  has(option: string): boolean;
  value(option: string): string | undefined;
  say(line: string): void;
  opened: AsyncDisposableStack;
}

/** Runs `work` and sets the exit code: 0, or 1 with a sentence on standard error. */
export async function runStorageCommand(
  options: ParseArgsOptionsConfig,
  usage: string,
  work: (task: StorageTask) => Promise<void>,
): Promise<void> {
  try {
    await using opened = new AsyncDisposableStack();
    const { values, positionals } = parsed(options, usage);
    const variables = environment();
    await work({
      config: readStorageConfig(variables),
      environment: variables,
      words: positionals,
      has: (option) => values[option] === true,
      value: (option) => values[option] as string | undefined,
      say: (line) => void process.stdout.write(`${line}\n`),
      opened,
    });
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exitCode = 1;
  }
}

function parsed(options: ParseArgsOptionsConfig, usage: string) {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    throw new StartFailure(`${(error as Error).message}\n${usage}`, { cause: error });
  }
}
