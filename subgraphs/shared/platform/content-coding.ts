// Content codings of responses by Accept-Encoding (RFC 9110, 8.4 and 12.5.3): when compression is worth it, what each client accepts, and the encoded bytes.
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';

export type Coding = 'zstd' | 'br' | 'gzip';

/** Below this size the response fits into one packet anyway. */
export const PAYS_FROM_BYTES = 1_024;

const [zstdOf, brotliOf, gzipOf] = [promisify(zstdCompress), promisify(brotliCompress), promisify(gzip)];

/**
 * For responses that are encoded once, in a thread of Node's pool. 810 kB of 10,000 proxy lines, Node 24 on a slow core: zstd 1 3.3 ms to 49 kB, brotli 4 3.2
 * ms to 57 kB, gzip 1 3.8 ms to 58 kB; higher levels take up to six times as long for a tenth less.
 */
const ONCE: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  zstd: (bytes) => zstdOf(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (bytes) => brotliOf(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes) => gzipOf(bytes, { level: 1 }),
};

/** For responses that are cached and sent many times. */
const KEPT: typeof ONCE = {
  zstd: (bytes) => zstdOf(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 15 } }),
  br: (bytes) => brotliOf(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes) => gzipOf(bytes, { level: 9 }),
};

/** In the order that is used when the client prefers none. */
const CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip'];

/** The supported coding that the client prefers; undefined when it accepts none, or prefers the bytes uncompressed. */
export function codingFor({ headers }: Pick<IncomingMessage, 'headers'>): Coding | undefined {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return undefined;
  const weights = new Map(
    String(accepted)
      .toLowerCase()
      .split(',')
      .map((part): [string, number] => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
        const q = parameters.find((parameter) => parameter.startsWith('q='));
        return [name, q === undefined ? 1 : Number(q.slice(2)) || 0];
      }),
  );
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best] = CODINGS.toSorted((a, b) => weightOf(b) - weightOf(a));
  if (best === undefined || weightOf(best) === 0) return undefined;
  return weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}

/** Encodes bytes for one response. */
export const encode = (bytes: Buffer, coding: Coding): Promise<Buffer> => ONCE[coding](bytes);

/** Bytes that stay the same. Each coding is made at its first request and cached. */
export class CachedBody {
  readonly bytes: Buffer;
  readonly #coded = new Map<Coding, Promise<Buffer>>();

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** The bytes in the coding that the request prefers. */
  async for(request: Pick<IncomingMessage, 'headers'>): Promise<{ bytes: Buffer; coding?: Coding }> {
    const coding = this.bytes.length < PAYS_FROM_BYTES ? undefined : codingFor(request);
    if (!coding) return { bytes: this.bytes };
    let coded = this.#coded.get(coding);
    if (!coded) this.#coded.set(coding, (coded = KEPT[coding](this.bytes)));
    return { bytes: await coded, coding };
  }
}
