// Public keys as OpenSSH writes them in a line. Sources: RFC 4253 (6.6), RFC 5656 (3.1), RFC 8709 (4), PROTOCOL.u2f of OpenSSH. A server silently skips a line
// of authorized_keys that it cannot read, so invalid keys must be refused here.
import { createHash } from 'node:crypto';

export interface SshPublicKey {
  /** Type, key and comment, in one line. */
  line: string;
  /** As `ssh-keygen -l` prints it: SHA256: and 43 characters. */
  fingerprint: string;
  /** The text after the key; empty: none. */
  comment: string;
}

const LINE = /^(\S+) ([A-Za-z0-9+/]{40,4000}={0,2})(?: ([^\r\n]{0,200}))?$/;
/** sshd_config(5), RequiredRSASize: shorter keys are refused. */
const RSA_BITS_MIN = 1024;

type Field = (bytes: Buffer) => boolean;
const is =
  (text: string): Field =>
  (bytes) =>
    bytes.toString('latin1') === text;
const sized =
  (length: number): Field =>
  (bytes) =>
    bytes.length === length;
const some: Field = (bytes) => bytes.length > 0;
const modulus: Field = (bytes) => bytes.length * 8 >= RSA_BITS_MIN;
/** An uncompressed point of the curve: 4, x, y. */
const point =
  (bytesOfCoordinate: number): Field =>
  (bytes) =>
    bytes.length === 1 + 2 * bytesOfCoordinate && bytes[0] === 4;

/** The fields after the type, in their order, for each type of key. */
const FIELDS: Readonly<Record<string, readonly Field[]>> = {
  'ssh-ed25519': [sized(32)],
  'ssh-rsa': [some, modulus],
  'ecdsa-sha2-nistp256': [is('nistp256'), point(32)],
  'ecdsa-sha2-nistp384': [is('nistp384'), point(48)],
  'ecdsa-sha2-nistp521': [is('nistp521'), point(66)],
  'sk-ssh-ed25519@openssh.com': [sized(32), some],
  'sk-ecdsa-sha2-nistp256@openssh.com': [is('nistp256'), point(32), some],
};

/** RFC 4251, section 5: each field follows its length in four bytes; undefined: the bytes do not end with a field. */
function fieldsOf(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  let at = 0;
  while (at + 4 <= blob.length) {
    const length = blob.readUInt32BE(at);
    fields.push(blob.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return at === blob.length ? fields : undefined;
}

/** Parses a public key; undefined when the text is not one public key in one line. */
export function parseSshPublicKey(text: string): SshPublicKey | undefined {
  const line = text.trim();
  const [, type = '', encoded = '', comment = ''] = LINE.exec(line) ?? [];
  const expected = FIELDS[type];
  if (!expected) return undefined;
  const blob = Buffer.from(encoded, 'base64');
  const [named, ...fields] = fieldsOf(blob) ?? [];
  if (named?.toString('latin1') !== type || fields.length !== expected.length) return undefined;
  if (!expected.every((fits, index) => fits(fields[index] as Buffer))) return undefined;
  return { line, comment: comment.trim(), fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}` };
}
