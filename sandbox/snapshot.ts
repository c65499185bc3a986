// A vendor's state between two starts: one JSON file that is replaced as a whole, so that after a crash the last complete one remains.
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from '#platform/start-failure.ts';

export interface Snapshot<State> {
  readonly state: State;
  /** Schedules a write of the changed state. */
  changed(): void;
  /** Writes unwritten changes now, and waits for the write. */
  flush(): Promise<void>;
}

/** Changes come in groups (a payment makes six); one write stores a group. */
const DEBOUNCE_MS = 200;

/** Opens the state `name` in `directory`; without a directory it is kept only in memory. Fields that the stored state lacks are taken from the fresh one. */
export async function openSnapshot<State extends object>(
  directory: string | undefined,
  name: string,
  fresh: State,
): Promise<Snapshot<State>> {
  if (directory === undefined) return { state: fresh, changed: () => {}, flush: async () => {} };

  const file = join(directory, `${name}.json`);
  // The files contain links from mails and API keys, so only the owner may read them.
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o700);
  const state = { ...fresh, ...(await readState<State>(file)) };

  let dirty = false;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    if (!dirty) return;
    dirty = false;
    await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };
  const flushLater = (): void => {
    flush().catch((cause: unknown) => process.stderr.write(`The sandbox cannot write ${file}: ${String(cause)}\n`));
  };
  return {
    state,
    changed() {
      dirty = true;
      timer ??= setTimeout(flushLater, DEBOUNCE_MS).unref();
    },
    flush,
  };
}

async function readState<State>(file: string): Promise<Partial<State>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return JSON.parse(text) as Partial<State>;
  } catch (cause) {
    throw new StartFailure(`${file} is not the sandbox's JSON: remove it to begin with an empty sandbox.`, { cause });
  }
}
