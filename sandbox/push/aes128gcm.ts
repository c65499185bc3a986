// What a browser does with the body of a push message: RFC 8188 (aes128gcm) with the keys of RFC 8291. Written from the RFCs alone, so that it shares nothing with
// the library that encrypts.
import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto';
import type { ECDH } from 'node:crypto';

export interface SubscriptionKeys {
  /** The private key of P-256 that the browser keeps. */
  private: Buffer;
  /** 65 bytes, uncompressed: `p256dh` of the subscription. */
  public: Buffer;
  /** 16 bytes: `auth` of the subscription. */
  auth: Buffer;
}

const [SALT_BYTES, SIZE_BYTES, TAG_BYTES, POINT_BYTES] = [16, 4, 16, 65];
/** The record is padded by zeros behind this byte; 2 marks the last record (RFC 8188, 2). */
const LAST_RECORD = 2;

const derive = (key: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

/** Throws when the message was not encrypted for these keys, was altered, or is not of one record (RFC 8291, 4). */
export function decrypt(body: Buffer, keys: SubscriptionKeys): string {
  const salt = body.subarray(0, SALT_BYTES);
  const recordSize = body.readUInt32BE(SALT_BYTES);
  const idLength = body.readUInt8(SALT_BYTES + SIZE_BYTES);
  const start = SALT_BYTES + SIZE_BYTES + 1;
  const sender = body.subarray(start, start + idLength);
  const record = body.subarray(start + idLength);
  if (sender.length !== POINT_BYTES) throw new Error('The key id is not a public key of P-256.');
  if (record.length > recordSize) throw new Error('A push message has one record.');
  const shared = exchange(keys.private).computeSecret(sender);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.public, sender]);
  const input = derive(shared, keys.auth, info, 32);
  const key = derive(input, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(input, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== LAST_RECORD) throw new Error('The record is not padded as the last one.');
  return padded.subarray(0, end).toString('utf8');
}

function exchange(privateKey: Buffer): ECDH {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey);
  return ecdh;
}
