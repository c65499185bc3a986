// The variables of a process: its own, and those of a file. A variable that is set already wins over the file.
import { loadEnvFile } from 'node:process';
import { StartFailure } from './start-failure.ts';

/** Reads `ENV_FILE`, or `.env` in the working directory when there is one. Throws a StartFailure when the file named by ENV_FILE cannot be read. */
export function environment(): Record<string, string | undefined> {
  const named = process.env['ENV_FILE'];
  try {
    loadEnvFile(named || '.env');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (named || code !== 'ENOENT')
      throw new StartFailure(`The file ${named || '.env'} of ENV_FILE cannot be read (${code}).`, { cause: error });
  }
  return process.env;
}
