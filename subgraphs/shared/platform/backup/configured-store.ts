import type { StorageConfig } from '../config.ts';
import { StartFailure } from '../start-failure.ts';
import { type ObjectStore, openObjectStore } from './object-store.ts';

/** The configured bucket; undefined when none is configured. Throws a StartFailure when its key is missing. */
export function configuredStore(config: StorageConfig): ObjectStore | undefined {
  const { BACKUP_S3_URL: url, BACKUP_S3_REGION: region, BACKUP_S3_KEY_ID: keyId, BACKUP_S3_SECRET: secret } = config;
  if (url === undefined) return undefined;
  if (keyId === undefined || secret === undefined)
    throw new StartFailure('BACKUP_S3_KEY_ID and BACKUP_S3_SECRET must be set with BACKUP_S3_URL.');
  return openObjectStore({ url, region, keyId, secret });
}
