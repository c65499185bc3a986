// All secrets that are derived from the master secret, and from previous ones.
import { hash, hkdfSync, randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, MIN_SECRET_LENGTH } from './config.ts';
import type { SigningKeys } from './mac.ts';
import { type SealingKeys, sealingKeyOf } from './sealing.ts';

export interface Secrets {
  identity: SigningKeys;
  offers: SigningKeys;
  internal: SigningKeys;
  /** Signs the passes by which one part of the platform admits proxy nodes to another. */
  edges: SigningKeys;
  /** For networks that report usage without their own secret: the sandbox's. */
  sandbox: string;
  sealing: SealingKeys;
}

/** "new,old": the present master secret and previous ones. An older single secret may contain a comma: then it counts as one. */
export const masterSecrets = (text: string): string[] => {
  const secrets = text.split(',').map((secret) => secret.trim());
  return secrets.every(({ length }) => length >= MIN_SECRET_LENGTH) ? secrets : [text];
};

/** The master secret of a data directory, created on first use and readable by its owner only. */
function ownSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

/** The master secret as configured, with previous ones. */
export const secretText = ({ SECRET, DATA_DIR }: Pick<Config, 'SECRET' | 'DATA_DIR'>): string => SECRET ?? ownSecret(DATA_DIR);

/** Independent secrets for each purpose, so that a leaked one opens nothing else. */
export function secretsOf(config: Pick<Config, 'SECRET' | 'DATA_DIR'>): Secrets {
  const [present = '', ...previous] = masterSecrets(secretText(config));
  const derive = (master: string, purpose: string) => Buffer.from(hkdfSync('sha256', master, 'egress', purpose, 32));
  const signing = (purpose: string): SigningKeys => {
    const key = (master: string) => derive(master, purpose).toString('hex');
    return [key(present), ...previous.map(key)];
  };
  const sealing = (master: string) => sealingKeyOf(derive(master, 'sealing'));
  return {
    identity: signing('identity'),
    offers: signing('offers'),
    internal: signing('internal'),
    edges: signing('edges'),
    sandbox: derive(present, 'sandbox').toString('hex'),
    sealing: [sealing(present), ...previous.map(sealing)],
  };
}

/** 256 random bits for links and sessions. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The stored form of tokens and keys. They are random, so a fast hash is enough. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex');

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random characters of base 62; 22 of them carry 131 bits. */
export const randomBase62 = (length: number): string => Array.from({ length }, () => BASE62[randomInt(62)]).join('');
