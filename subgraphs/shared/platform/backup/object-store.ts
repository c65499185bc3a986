// A bucket of S3, or of a store with the same API, as far as backups need one. Addressed by path, which every such store accepts.
// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
import { createWriteStream } from 'node:fs';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND, systemClock } from '../clock.ts';
import { StartFailure, reasonOf } from '../start-failure.ts';
import { type StoreKeys, sha256, signedHeaders, uriEncoded } from './signature-v4.ts';

export interface StoredObject {
  /** Relative to the prefix. */
  name: string;
  bytes: number;
}

export interface ObjectStore {
  list(): Promise<StoredObject[]>;
  put(name: string, file: string): Promise<void>;
  /** Writes into a file, and creates its folder. */
  get(name: string, file: string): Promise<void>;
  /** Returns false when the keys lack the permission, or an object lock holds the object. */
  remove(name: string): Promise<boolean>;
}

export interface ObjectStoreOptions extends StoreKeys {
  /** https://HOST/BUCKET, optionally followed by a prefix. */
  url: string;
  /** Larger files are uploaded in parts of this size: at least 5 MiB. */
  partBytes?: number;
  /** Milliseconds before the first retry. */
  pauseMs?: number;
}

const PART_BYTES = 64 * 1_048_576;
/** "Amazon S3 multipart upload limits" allows 10,000. */
const MAX_PARTS = 9_000;
const TRIES = 5;
const ANSWER_MS = 300 * SECOND;

interface Asked {
  query?: Readonly<Record<string, string>>;
  body?: Uint8Array;
}

/** Throws a StartFailure, with the store's own message, when it refuses, and when it cannot be reached. */
export const openObjectStore = (options: ObjectStoreOptions): ObjectStore => new Bucket(options);

class Bucket implements ObjectStore {
  readonly #origin: URL;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #partBytes: number;
  readonly #pauseMs: number;
  readonly #keys: StoreKeys;

  constructor({ url, partBytes = PART_BYTES, pauseMs = 200, ...keys }: ObjectStoreOptions) {
    this.#origin = new URL(url);
    const [bucket = '', ...rest] = this.#origin.pathname.split('/').filter(Boolean);
    if (bucket === '') throw new StartFailure('BACKUP_S3_URL must name a bucket: https://HOST/BUCKET or https://HOST/BUCKET/PREFIX.');
    this.#bucket = bucket;
    this.#prefix = rest.length > 0 ? `${rest.map(decodeURIComponent).join('/')}/` : '';
    this.#partBytes = partBytes;
    this.#pauseMs = pauseMs;
    this.#keys = keys;
  }

  async list(): Promise<StoredObject[]> {
    const found: StoredObject[] = [];
    for (let token: string | undefined, more = true; more;) {
      const query = { 'list-type': '2', prefix: this.#prefix, ...(token !== undefined && { 'continuation-token': token }) };
      const page = await (await this.#ask('GET', undefined, { query })).text();
      for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
        found.push({ name: (tagOf(entry, 'Key') ?? '').slice(this.#prefix.length), bytes: Number(tagOf(entry, 'Size')) });
      token = tagOf(page, 'NextContinuationToken');
      more = tagOf(page, 'IsTruncated') === 'true' && token !== undefined;
    }
    return found;
  }

  async put(name: string, file: string): Promise<void> {
    const { size } = await stat(file);
    if (size > this.#partBytes) return this.#putParts(name, file, size);
    await this.#ask('PUT', name, { body: await readFile(file) });
  }

  async get(name: string, file: string): Promise<void> {
    const { body } = await this.#ask('GET', name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(Readable.fromWeb(body as never), createWriteStream(file, { mode: 0o600, flush: true }));
  }

  async remove(name: string): Promise<boolean> {
    try {
      await this.#ask('DELETE', name);
      return true;
    } catch (error) {
      if (error instanceof Refused && error.code === 'AccessDenied') return false;
      throw error;
    }
  }

  async #putParts(name: string, file: string, size: number): Promise<void> {
    const bytes = Math.max(this.#partBytes, Math.ceil(size / MAX_PARTS));
    const begun = await this.#ask('POST', name, { query: { uploads: '' } });
    const uploadId = tagOf(await begun.text(), 'UploadId') ?? '';
    const handle = await open(file, 'r');
    try {
      const parts: string[] = [];
      for (let start = 0; start < size; start += bytes) {
        const body = Buffer.alloc(Math.min(bytes, size - start));
        await handle.read(body, 0, body.length, start);
        const partNumber = String(parts.length + 1);
        const answer = await this.#ask('PUT', name, { query: { partNumber, uploadId }, body });
        parts.push(`<Part><PartNumber>${partNumber}</PartNumber><ETag>${answer.headers.get('etag') ?? ''}</ETag></Part>`);
      }
      const whole = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
      const answer = await (await this.#ask('POST', name, { query: { uploadId }, body: Buffer.from(whole) })).text();
      // The upload may still fail after the store has begun to answer with 200.
      if (answer.includes('<Error>')) throw new StartFailure(`The store of backups refuses: ${tagOf(answer, 'Code')}.`);
    } catch (error) {
      await this.#ask('DELETE', name, { query: { uploadId } }).catch(() => {});
      throw error;
    } finally {
      await handle.close();
    }
  }

  /** `name`: relative to the prefix; undefined: the bucket itself. */
  async #ask(method: string, name: string | undefined, asked: Asked = {}): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      let reason: string;
      try {
        const answer = await this.#once(method, name, asked);
        if (answer.ok) return answer;
        const words = await answer.text();
        const code = tagOf(words, 'Code') ?? String(answer.status);
        // "Error best practices": 5xx and SlowDown should be retried.
        if (answer.status < 500 && answer.status !== 429) throw new Refused(code, tagOf(words, 'Message') ?? '');
        reason = code;
      } catch (error) {
        if (error instanceof Refused) throw error;
        reason = reasonOf((error as Error).cause ?? error);
      }
      if (attempt === TRIES) throw new StartFailure(`The store of backups at ${this.#origin.host} does not answer: ${reason}.`);
      await pause(this.#pauseMs * 2 ** (attempt - 1));
    }
  }

  #once(method: string, name: string | undefined, { query = {}, body }: Asked): Promise<Response> {
    const path = [this.#bucket, ...(name === undefined ? [] : (this.#prefix + name).split('/'))].map(uriEncoded).join('/');
    const url = new URL(`/${path}`, this.#origin.origin);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    // The signature needs %20 for a space; URLSearchParams writes +.
    url.search = url.search.replaceAll('+', '%20');
    const signed = signedHeaders({ method, url, contentHash: sha256(body ?? ''), at: systemClock.now() }, this.#keys);
    const { host: _, ...headers } = signed as Record<string, string>;
    const signal = AbortSignal.timeout(ANSWER_MS);
    return fetch(url, { method, headers, body, signal, redirect: 'error' } as RequestInit);
  }
}

class Refused extends StartFailure {
  readonly code: string;

  constructor(code: string, message: string) {
    super(`The store of backups refuses: ${code} ${message}`.trim());
    this.code = code;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" };

function tagOf(xml: string, tag: string): string | undefined {
  const [, content] = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml) ?? [];
  return content?.replaceAll(/&(amp|lt|gt|quot|apos);/g, (entity) => ENTITIES[entity] ?? entity);
}
