// The variables of a process: its own, and those of a file beside it. What is set already wins over the file.
import { loadEnvFile } from 'node:process';
import { StartFailure } from './start-failure.ts';

/** Reads `ENV_FILE`, or `.env` in the folder that the process was started in, where there is one. Throws a StartFailure when a file that was named is not there. */
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
