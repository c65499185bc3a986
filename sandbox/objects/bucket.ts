// A bucket like those of S3, as far as backups need one: objects by path, lists in pages, multipart uploads, and faults.
// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html and "Error responses" there.
import { createHash, randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '#platform/clock.ts';
import { type BucketKeys, refusalOf } from './verify.ts';

/** "Multipart upload limits": for every part but the last. */
const MIN_PART_BYTES = 5 * 1_048_576;
const STATUSES: Readonly<Record<string, number>> = {
  AuthorizationHeaderMalformed: 400,
  EntityTooSmall: 400,
  InvalidPart: 400,
  MalformedXML: 400,
  XAmzContentSHA256Mismatch: 400,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  MethodNotAllowed: 405,
  SlowDown: 503,
};
const FORBIDDEN = 403;

export interface SandboxBucket {
  /** https://HOST/BUCKET, to which a prefix may be added. */
  readonly url: string;
  readonly keys: BucketKeys;
  readonly objects: Map<string, Buffer>;
  /** Error codes for the next requests; used up one by one. */
  readonly faults: string[];
  /** Nothing can be deleted, because of an object lock or of keys that may only write. */
  locked: boolean;
  /** The number of multipart uploads that were neither completed nor aborted: they cost money. */
  uploads(): number;
  close(): Promise<void>;
}

type Answer = string | Buffer | { refused: string };

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const etagOf = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`;

interface BucketOptions {
  clock: Clock;
  name?: string;
  /** 1,000 at the real service. */
  pageSize?: number;
}

export async function startBucket(options: BucketOptions): Promise<SandboxBucket> {
  const bucket = new Bucket(options);
  await bucket.listen();
  return bucket;
}

class Bucket implements SandboxBucket {
  readonly keys: BucketKeys = { region: 'eu-central-1', keyId: 'AKIAEXAMPLE', secret: randomUUID() };
  readonly objects = new Map<string, Buffer>();
  readonly faults: string[] = [];
  locked = false;
  readonly #uploads = new Map<string, Map<number, Buffer>>();
  readonly #clock: Clock;
  readonly #name: string;
  readonly #pageSize: number;
  readonly #server = createServer((request, response) => void this.#handle(request, response));

  constructor({ clock, name = 'backups', pageSize = 1_000 }: BucketOptions) {
    this.#clock = clock;
    this.#name = name;
    this.#pageSize = pageSize;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${this.#name}`;
  }

  uploads = () => this.#uploads.size;

  listen = () => new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));

  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    return closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bucket');
    const [, asked, ...rest] = pathname.split('/').map(decodeURIComponent);
    const unsigned = this.faults.shift() ?? refusalOf(request, body, this.keys, this.#clock.now());
    const refused = unsigned ?? (asked === this.#name ? undefined : 'NoSuchBucket');
    const found = refused === undefined ? this.#answer(request.method ?? '', rest.join('/'), searchParams, body) : { refused };
    if (typeof found === 'object' && 'refused' in found) {
      response.statusCode = STATUSES[found.refused] ?? FORBIDDEN;
      response.end(`<?xml version="1.0"?><Error><Code>${found.refused}</Code><Message>The sandbox says no.</Message></Error>`);
    } else {
      if (request.method === 'PUT') response.setHeader('ETag', etagOf(body));
      response.end(found);
    }
  }

  #answer(method: string, key: string, query: URLSearchParams, body: Buffer): Answer {
    const id = query.get('uploadId');
    if (key === '') return method === 'GET' && query.get('list-type') === '2' ? this.#list(query) : { refused: 'MethodNotAllowed' };
    if (id !== null || query.has('uploads')) return this.#answerUpload(method, key, query, body);
    if (method === 'GET') return this.objects.get(key) ?? { refused: 'NoSuchKey' };
    if (method === 'PUT') this.objects.set(key, body);
    else if (method !== 'DELETE') return { refused: 'MethodNotAllowed' };
    else if (this.locked) return { refused: 'AccessDenied' };
    else this.objects.delete(key);
    return '';
  }

  #answerUpload(method: string, key: string, query: URLSearchParams, body: Buffer): Answer {
    const id = query.get('uploadId') ?? randomUUID();
    if (query.has('uploads')) {
      this.#uploads.set(id, new Map());
      return `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`;
    }
    const parts = this.#uploads.get(id);
    if (!parts) return { refused: 'NoSuchUpload' };
    if (method === 'POST') return this.#complete(key, id, parts, body);
    if (method === 'PUT') parts.set(Number(query.get('partNumber')), body);
    else this.#uploads.delete(id);
    return '';
  }

  #complete(key: string, id: string, parts: ReadonlyMap<number, Buffer>, body: Buffer): Answer {
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
    const contents = named.map(([, number, etag]) => {
      const part = parts.get(Number(number));
      return part && etagOf(part) === etag?.replaceAll('&quot;', '"') ? part : undefined;
    });
    if (contents.length === 0) return { refused: 'MalformedXML' };
    if (contents.includes(undefined)) return { refused: 'InvalidPart' };
    const whole = contents as Buffer[];
    if (whole.slice(0, -1).some(({ length }) => length < MIN_PART_BYTES)) return { refused: 'EntityTooSmall' };
    this.objects.set(key, Buffer.concat(whole));
    this.#uploads.delete(id);
    return '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>';
  }

  #list(query: URLSearchParams): Answer {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const all = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
    const page = all.slice(0, this.#pageSize);
    const rows = page.map((key) => `<Contents><Key>${escaped(key)}</Key><Size>${this.objects.get(key)?.length}</Size></Contents>`);
    const more = all.length > page.length;
    const next = more ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : '';
    return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${rows.join('')}${next}</ListBucketResult>`;
  }
}
