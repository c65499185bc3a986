// Packs files into one stream. A file may change, grow or vanish while it is read, as those of a running database do, so no length is written ahead of a file.
import { type FileHandle, chmod, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartFailure } from '../start-failure.ts';

/** A file or folder, in the order in which it is packed. */
export interface Packed {
  /** With slashes, relative to the place where it is unpacked. */
  path: string;
  mode: number;
  /** Undefined: a folder. */
  content?: AsyncIterable<Uint8Array>;
}

const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const READ_BYTES = 262_144;

export async function* pack(entries: AsyncIterable<Packed>): AsyncGenerator<Buffer> {
  for await (const { path, mode, content } of entries) {
    const head = Buffer.from(JSON.stringify({ path, mode, folder: content === undefined }));
    yield number(head.length);
    yield head;
    if (content === undefined) continue;
    for await (const bytes of content) {
      if (bytes.length === 0) continue;
      yield number(bytes.length);
      yield Buffer.from(bytes);
    }
    yield number(0);
  }
  yield number(0);
}

export const textEntry = (path: string, text: string): Packed => ({
  path,
  mode: 0o600,
  content: (async function* () {
    yield Buffer.from(text);
  })(),
});

/** A file on disk; undefined when it is gone. */
export async function fileEntry(file: string, path: string): Promise<Packed | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const { mode } = await handle.stat();
  return { path, mode: mode & 0o777, content: contentOf(handle) };
}

async function* contentOf(handle: FileHandle): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/**
 * Everything below a folder; folders come before their content. `leaves` gets a path relative to `folder` and says whether to leave it out, with everything
 * below it. Throws a StartFailure for a symbolic link.
 */
export async function* folderEntries(
  folder: string,
  prefix: string,
  leaves: (path: string) => boolean,
  below = '',
): AsyncGenerator<Packed> {
  for (const found of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? found.name : `${below}/${found.name}`;
    if (leaves(path)) continue;
    if (found.isSymbolicLink())
      throw new StartFailure(`${join(folder, path)} is a link, and backups have none: what it leads to would be missing.`);
    if (found.isDirectory()) {
      yield { path: `${prefix}/${path}`, mode: 0o700 };
      yield* folderEntries(folder, prefix, leaves, path);
    } else if (found.isFile()) {
      const entry = await fileEntry(join(folder, path), `${prefix}/${path}`);
      if (entry) yield entry;
    }
  }
}

/** Reads a stream by numbers of bytes. */
class Bytes {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    while (this.#held.length < count) {
      const { done, value } = await this.#source.next();
      if (done) throw new StartFailure('The backup ends in the middle of a file.');
      this.#held = Buffer.concat([this.#held, value]);
    }
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  number = async () => (await this.take(4)).readUInt32BE();

  /** Reads the stream to its end: only then are its last bytes verified. */
  async end(): Promise<void> {
    while (!(await this.#source.next()).done);
  }
}

/** `placeOf` says where a path is written; undefined leaves it out. Throws when a file is there already, and a StartFailure for a path that leads elsewhere. */
export async function unpack(source: AsyncIterable<Uint8Array>, placeOf: (path: string) => string | undefined): Promise<void> {
  const bytes = new Bytes(source);
  for (let head = await bytes.number(); head > 0; head = await bytes.number()) {
    const { path, mode, folder } = JSON.parse((await bytes.take(head)).toString()) as { path: string; mode: number; folder: boolean };
    if (path.split('/').some((part) => part === '..' || part === ''))
      throw new StartFailure(`The backup has a file that leads elsewhere: ${path}`);
    const place = placeOf(path);
    if (folder) {
      if (place !== undefined) await mkdir(place, { recursive: true, mode });
      continue;
    }
    if (place !== undefined) await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    const file = place === undefined ? undefined : await open(place, 'wx', mode);
    try {
      for (let length = await bytes.number(); length > 0; length = await bytes.number()) {
        const content = await bytes.take(length);
        await file?.writeFile(content);
      }
    } finally {
      await file?.close();
    }
    if (place !== undefined) await chmod(place, mode);
  }
  await bytes.end();
}
