// The operator's block lists: files, looked at every two seconds, and URLs, asked every hour with the ETag of the last answer. A list that cannot be read, or is
// too large, leaves the one before in force; what a URL said last is kept in the node's folder, for a start at which it does not answer.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOUR, SECOND } from '#platform/clock.ts';
import { inTime } from '#platform/in-time.ts';
import type { Log } from '#platform/log.ts';
import { StartFailure } from '#platform/start-failure.ts';
import { BlockedTargets } from './blocked-targets.ts';
import { readBlocklist } from './blocklist-text.ts';

/** The largest public lists have about a million names in 30 MB. */
export const BLOCKLIST_LIMITS = { bytes: 64 * 1_048_576, targets: 2_000_000 } as const;
const FILE_MS = 2 * SECOND;
const URL_MS = HOUR;
/** After a failure. */
const AGAIN_MS = 60 * SECOND;
const ANSWER_MS = 30 * SECOND;
/** So long a look waits for all URLs before those that have answered are in force; the others follow. A start waits no longer. */
const PATIENCE_MS = 3 * SECOND;

export interface BlocklistOptions {
  /** Paths and http(s) URLs. */
  sources: readonly string[];
  log: Log;
  /** Where answers of URLs are kept; absent: nowhere. */
  folder?: string | undefined;
  fileMs?: number | undefined;
  urlMs?: number | undefined;
  limits?: { bytes: number; targets: number } | undefined;
}

interface Source {
  place: string;
  isUrl: boolean;
  /** What tells one state of the source from another: of a file its time and size, of a URL its ETag. */
  mark: string | undefined;
  text: string | undefined;
  /** The text that the lists in force were put together of. */
  inForce: string | undefined;
  /** What the folder has. */
  kept: string | undefined;
  dueAt: number;
  /** The last look failed: the next one that fails alike is not logged. */
  failing: boolean;
}

class Refused extends Error {}

export class Blocklists {
  #targets = new BlockedTargets();
  /** Looks that have failed since the start. */
  failures = 0;
  /** Connections that were refused for a list. */
  refusals = 0;
  readonly #sources: readonly Source[];
  readonly #options: BlocklistOptions;
  readonly #limits: { bytes: number; targets: number };
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #closed = new AbortController();
  #looking: Promise<void> | undefined;
  #started: Promise<void> | undefined;
  /** Resolves when the first look has put in force what it knows. */
  readonly #firstRead = Promise.withResolvers<void>();

  constructor(options: BlocklistOptions) {
    this.#options = options;
    this.#limits = options.limits ?? BLOCKLIST_LIMITS;
    this.#sources = options.sources.map((place) => ({
      place,
      isUrl: /^https?:\/\//.test(place),
      mark: undefined,
      text: undefined,
      inForce: undefined,
      kept: undefined,
      dueAt: 0,
      failing: false,
    }));
    if (this.#sources.length > 0) this.#timer = setInterval(() => void this.look(), options.fileMs ?? FILE_MS).unref();
  }

  get size(): number {
    return this.#targets.size;
  }

  /** Whether a name, in lower case, or one above it is listed. */
  hasName(name: string): boolean {
    return this.#count(this.#targets.hasName(name));
  }

  /** Whether an address, in its plain form, is listed. */
  hasAddress(address: string): boolean {
    return this.#count(this.#targets.hasAddress(address));
  }

  #count(listed: boolean): boolean {
    if (listed) this.refusals += 1;
    return listed;
  }

  /** Looks at every source that is due, at all at once; callers share one look. What a URL said last is read from the folder before it is first asked. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)));
  }

  /**
   * The first look, once, as far as it comes in three seconds: of a URL that has not answered by then, what it said last is in force until it does. Throws a
   * StartFailure for a file that cannot be read.
   */
  start(): Promise<void> {
    void this.look();
    return (this.#started ??= this.#firstRead.promise.then(() => {
      const broken = this.#sources.find(({ isUrl, failing }) => failing && !isUrl);
      if (broken) throw new StartFailure(`The block list ${broken.place} cannot be used: the log says why.`);
    }));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#closed.abort();
  }

  async #look(): Promise<void> {
    const now = performance.now();
    /** The sources whose texts have changed since the lists were put together, with what they said before. */
    const changed = new Map<Source, string | undefined>();
    const asked = Promise.all(this.#sources.map((source) => this.#ask(source, now, changed)));
    // It never rejects but for being late.
    await inTime(asked, PATIENCE_MS).catch(() => {});
    const kept = this.#putTogether(changed);
    this.#firstRead.resolve();
    await Promise.all([asked, kept]);
    await this.#putTogether(changed);
  }

  /** What has changed is in force when this returns, and kept when it resolves: only what has proved to fit. */
  async #putTogether(changed: Map<Source, string | undefined>): Promise<void> {
    const now = [...changed];
    changed.clear();
    if (now.length === 0 || this.#closed.signal.aborted) return;
    this.#rebuild(now);
    await Promise.all(now.map(([source]) => this.#keep(source)));
  }

  /** Looks at a source if it is due, and adds it to `changed`. Never throws. */
  async #ask(source: Source, now: number, changed: Map<Source, string | undefined>): Promise<void> {
    if (source.isUrl && now < source.dueAt) return;
    source.dueAt = now + (this.#options.urlMs ?? URL_MS);
    if (source.isUrl && (await this.#recall(source))) changed.set(source, undefined);
    const before = source.text;
    try {
      if (source.isUrl ? await this.#askUrl(source) : await this.#readFile(source)) changed.set(source, before);
      source.failing = false;
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      this.failures += 1;
      source.dueAt = now + Math.min(AGAIN_MS, this.#options.urlMs ?? URL_MS);
      if (!source.failing)
        this.#options.log.error({ list: source.place, error: String(error) }, 'a block list cannot be read: what it said before stays');
      source.failing = true;
    }
  }

  /** Puts all lists together. While they are too large as a whole, those that have changed go back to what they said before: URLs first, as they grow unseen. */
  #rebuild(changed: readonly (readonly [Source, string | undefined])[]): void {
    let read = this.#readAll();
    if (read.targets.size > this.#limits.targets) {
      this.failures += 1;
      this.#options.log.error({ most: this.#limits.targets }, 'the block lists have too many targets: what they said before stays');
      const steps = changed.toSorted(([a], [b]) => Number(b.isUrl) - Number(a.isUrl));
      // What was kept was never in force: it may be too large as well.
      for (const [source, before] of [...steps, ...steps.map(([source]) => [source, source.inForce] as const)]) {
        if (source.text === before) continue;
        source.text = before;
        if (this.#sources.every(({ text, inForce }) => text === inForce)) return;
        read = this.#readAll();
        if (read.targets.size <= this.#limits.targets) break;
      }
    }
    for (const source of this.#sources) source.inForce = source.text;
    this.#targets = read.targets;
    this.#options.log.info({ targets: read.targets.size, unread: read.unread }, 'the block lists are read');
  }

  #readAll(): { targets: BlockedTargets; unread: number } {
    const targets = new BlockedTargets();
    let unread = 0;
    for (const { text } of this.#sources) unread += text === undefined ? 0 : readBlocklist(text, targets, this.#limits.targets);
    return { targets, unread };
  }

  async #readFile(source: Source): Promise<boolean> {
    const { mtimeMs, size } = await stat(source.place);
    const mark = `${mtimeMs} ${size}`;
    if (mark === source.mark) return false;
    source.mark = mark;
    if (size > this.#limits.bytes) throw new Refused(`it has ${size} bytes: at most ${this.#limits.bytes}`);
    source.text = await readFile(source.place, 'utf8');
    return true;
  }

  async #askUrl(source: Source): Promise<boolean> {
    const answer = await fetch(source.place, {
      headers: source.mark === undefined ? {} : { 'If-None-Match': source.mark },
      signal: AbortSignal.any([this.#closed.signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    if (answer.status === 304) return false;
    if (!answer.ok || !answer.body) throw new Refused(`it answers ${answer.status}`);
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of answer.body) {
      size += part.length;
      if (size > this.#limits.bytes) throw new Refused(`it has more than ${this.#limits.bytes} bytes`);
      parts.push(Buffer.from(part));
    }
    const text = Buffer.concat(parts).toString('utf8');
    source.mark = answer.headers.get('etag') ?? undefined;
    if (text === source.text) return false;
    source.text = text;
    return true;
  }

  #fileOf(place: string): string | undefined {
    const { folder } = this.#options;
    return folder === undefined ? undefined : join(folder, `${createHash('sha256').update(place).digest('hex').slice(0, 16)}.txt`);
  }

  /** Best effort: without it a start that cannot reach the URL has no list of it. */
  async #keep(source: Source): Promise<void> {
    const { place, text } = source;
    const file = source.isUrl ? this.#fileOf(place) : undefined;
    if (file === undefined || text === undefined || text === source.kept) return;
    const half = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    try {
      await mkdir(join(file, '..'), { recursive: true });
      await writeFile(half, text);
      await rename(half, file);
      source.kept = text;
    } catch (error) {
      this.#options.log.warn({ list: place, error: String(error) }, 'a block list cannot be kept for the next start');
    }
  }

  /** Reads what the URL said last, if it has said nothing since the start. */
  async #recall(source: Source): Promise<boolean> {
    const file = this.#fileOf(source.place);
    if (file === undefined || source.text !== undefined || source.kept !== undefined) return false;
    try {
      source.kept = await readFile(file, 'utf8');
      source.text = source.kept;
      return true;
    } catch {
      return false;
    }
  }
}
