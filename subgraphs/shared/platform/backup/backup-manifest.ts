// The description of a backup, in clear text beside its sealed parts: its checksums can be checked without the passphrase.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartFailure } from '../start-failure.ts';
import { type BackupKeys, backupKeys } from './sealed-stream.ts';

export const MANIFEST = 'manifest.json';

const part = z.strictObject({ file: z.string().regex(/^[a-z]+\.sealed$/), bytes: z.number().int(), sha256: z.string() });
const manifest = z.strictObject({
  format: z.literal(1),
  /**
   * files: a copy of an embedded server's folder; cluster: of an external server's folder; both for the same major version. dump: by pg_dump, for any server.
   */
  kind: z.enum(['files', 'dump', 'cluster']),
  takenAt: z.string(),
  /** Everything that was acknowledged before this moment is in the backup. */
  holdsUntil: z.string(),
  program: z.string(),
  /** The last migration of the database. */
  schema: z.string(),
  postgres: z.string(),
  /** The processor's architecture. Copied files need the same one; a dump does not. */
  architecture: z.string(),
  salt: z.string(),
  parts: z.strictObject({ database: part, files: part }),
  /** For files and clusters: the first log segment to replay after the copy. */
  logFrom: z.string().optional(),
});

export type Manifest = z.output<typeof manifest>;
export type PartName = keyof Manifest['parts'];
export const PARTS: readonly PartName[] = ['database', 'files'];

export const writtenManifest = (of: Manifest, keys: BackupKeys): string =>
  `${JSON.stringify({ ...of, mac: keys.mac(JSON.stringify(of)) }, null, 2)}\n`;

async function read(folder: string): Promise<{ manifest: Manifest; mac: string }> {
  const file = join(folder, MANIFEST);
  let found: z.ZodSafeParseResult<Manifest>;
  let mac: unknown;
  try {
    const { mac: given, ...rest } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    mac = given;
    found = manifest.safeParse(rest);
  } catch (error) {
    throw new StartFailure(`There is no backup in ${folder}: ${(error as Error).message}`, { cause: error });
  }
  if (!found.success || typeof mac !== 'string') throw new StartFailure(`${file} is none that this program has written.`);
  return { manifest: found.data, mac };
}

/** What the manifest says; its MAC is not checked. Throws a StartFailure for a folder without a backup. */
export const readManifest = async (folder: string): Promise<Manifest> => (await read(folder)).manifest;

/**
 * Checks the manifest's MAC and the checksums of the parts. Throws a StartFailure for a folder without a backup, a wrong passphrase, or a changed manifest or
 * part.
 */
export async function openManifest(folder: string, passphrase: string): Promise<{ manifest: Manifest; keys: BackupKeys }> {
  const { manifest: found, mac } = await read(folder);
  const keys = await backupKeys(passphrase, Buffer.from(found.salt, 'hex'));
  if (!keys.isMac(JSON.stringify(found), mac))
    throw new StartFailure(`BACKUP_PASSPHRASE is not the one that this backup was made with, or ${join(folder, MANIFEST)} was changed.`);
  for (const { file: name, sha256 } of Object.values(found.parts))
    if ((await sumOf(join(folder, name))) !== sha256)
      throw new StartFailure(`The part ${name} of the backup was changed, or is not whole.`);
  return { manifest: found, keys };
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  } catch (error) {
    throw new StartFailure(`The file ${file} of the backup cannot be read (${(error as NodeJS.ErrnoException).code}).`, { cause: error });
  }
  return hash.digest('hex');
}
