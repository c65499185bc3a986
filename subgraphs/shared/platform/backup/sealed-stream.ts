// Seals a part of a backup in pieces (AES-256-GCM): what is read is proven to be what was written, in the same order and complete. The nonce of a piece is its
// number and whether it is the last one, as in "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance" (STREAM). Each part of each backup has
// its own key.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, scrypt, timingSafeEqual } from 'node:crypto';
import { StartFailure } from '../start-failure.ts';

const PIECE_BYTES = 65_536;
const TAG_BYTES = 16;
/** Each guess of a passphrase costs 128 MiB and about half a second. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1_048_576 };

export interface BackupKeys {
  part(name: string): Buffer;
  mac(text: string): string;
  isMac(text: string, mac: string): boolean;
}

/** `salt` must be random for each backup. */
export async function backupKeys(passphrase: string, salt: Buffer): Promise<BackupKeys> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(passphrase.normalize('NFKC'), salt, 32, SCRYPT, (error, key) => (error ? reject(error) : resolve(key)));
  const master = await promise;
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, salt, `egress backup ${purpose}`, 32));
  const mac = (text: string) => createHmac('sha256', derive('manifest')).update(text).digest('hex');
  return {
    part: (name) => derive(`part ${name}`),
    mac,
    isMac: (text, given) => timingSafeEqual(Buffer.from(mac(text)), Buffer.from(given.padEnd(64).slice(0, 64))),
  };
}

function nonceOf(piece: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(piece, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Pieces of `bytes`; the last one has the rest, which may be empty. */
async function* piecesOf(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<{ piece: Buffer; isLast: boolean }> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    held.push(chunk);
    length += chunk.length;
    if (length <= bytes) continue;
    const all = Buffer.concat(held);
    let start = 0;
    for (; all.length - start > bytes; start += bytes) yield { piece: all.subarray(start, start + bytes), isLast: false };
    held = [all.subarray(start)];
    length = all.length - start;
  }
  yield { piece: Buffer.concat(held), isLast: true };
}

export async function* sealed(source: AsyncIterable<Uint8Array>, key: Buffer): AsyncGenerator<Buffer> {
  let number = 0;
  for await (const { piece, isLast } of piecesOf(source, PIECE_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number++, isLast));
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Throws a StartFailure at the first piece that was altered or moved, and when the end is missing. */
export async function* unsealed(source: AsyncIterable<Uint8Array>, key: Buffer, name: string): AsyncGenerator<Buffer> {
  let number = 0;
  for await (const { piece, isLast } of piecesOf(source, PIECE_BYTES + TAG_BYTES)) {
    const refused = () => new StartFailure(`The part ${name} of the backup was changed, or is not whole: piece ${number} cannot be read.`);
    if (piece.length < TAG_BYTES) throw refused();
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast));
    decipher.setAuthTag(piece.subarray(piece.length - TAG_BYTES));
    let opened: Buffer;
    try {
      opened = Buffer.concat([decipher.update(piece.subarray(0, piece.length - TAG_BYTES)), decipher.final()]);
    } catch {
      throw refused();
    }
    yield opened;
    number++;
  }
}
