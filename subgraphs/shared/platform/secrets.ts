// Everything derived from the one master secret, and the sealing of what must be stored but read again (proxy passwords).
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';

export interface Secrets {
  identity: string;
  offers: string;
  internal: string;
  /** Passes of proxy nodes from one part of the platform to another. */
  edges: string;
  /** For networks that report usage without a secret of their own: the sandbox's. */
  sandbox: string;
  sealing: Buffer;
}

/** The master secret of a data directory, made on first use and readable by its owner only. */
function masterSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

/** Independent secrets for each purpose, so that one leaked purpose opens no other. */
export function secretsOf(config: Pick<Config, 'SECRET' | 'DATA_DIR'>): Secrets {
  const master = config.SECRET ?? masterSecret(config.DATA_DIR);
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, 'egress', purpose, 32));
  return {
    identity: derive('identity').toString('hex'),
    offers: derive('offers').toString('hex'),
    internal: derive('internal').toString('hex'),
    edges: derive('edges').toString('hex'),
    sandbox: derive('sandbox').toString('hex'),
    sealing: derive('sealing'),
  };
}

/** AES-256-GCM; `context` (for example the row's id) binds the sealed text to its place. */
export function seal(plain: string, key: Buffer, context: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

export function unseal(sealed: Buffer, key: Buffer, context: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8');
}

/** 256 random bits for links and sessions. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** How tokens and keys are stored: they are random, so a fast hash is enough. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random characters of base 62; 22 of them carry 131 bits. */
export const randomBase62 = (length: number): string => Array.from({ length }, () => BASE62[randomInt(62)]).join('');
