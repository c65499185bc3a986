// The table compute.backup: the backups of each VPS on the backup storage.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { BackupKind } from '../domain/vps-backup.ts';

export interface BackupRow {
  id: string;
  serverId: string;
  operationId: string;
  kind: BackupKind;
  /** Its name on the storage. */
  volume: string;
  sizeBytes: bigint;
  takenAt: Date;
  /** When a backup that a restore made first is deleted; null: it is kept until enough newer ones exist. */
  expiresAt: Date | null;
}

const COLUMNS = sql`id, server_id as "serverId", operation_id as "operationId", kind, volume, size_bytes as "sizeBytes", taken_at as "takenAt",
  expires_at as "expiresAt"`;

const toRow = (row: BackupRow): BackupRow => ({
  ...row,
  sizeBytes: BigInt(row.sizeBytes),
  takenAt: new Date(row.takenAt),
  expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt),
});

/** Stores a backup; an operation has at most one. */
export async function insertBackup(em: EntityManager, backup: BackupRow): Promise<void> {
  await sql`
    insert into backup (id, server_id, operation_id, kind, volume, size_bytes, taken_at, expires_at)
    values (${backup.id}, ${backup.serverId}, ${backup.operationId}, ${backup.kind}, ${backup.volume}, ${backup.sizeBytes},
      ${backup.takenAt}::timestamptz, ${backup.expiresAt}::timestamptz)
    on conflict (operation_id) do nothing`.execute(em.getKysely());
}

/** Newest first. */
export async function backupsOfServer(em: EntityManager, serverId: string): Promise<BackupRow[]> {
  const { rows } =
    await sql<BackupRow>`select ${COLUMNS} from backup where server_id = ${serverId} order by taken_at desc, id desc`.execute(
      em.getKysely(),
    );
  return rows.map(toRow);
}

export async function dropBackup(em: EntityManager, id: string): Promise<void> {
  await sql`delete from backup where id = ${id}`.execute(em.getKysely());
}

export async function dropBackupsOfServer(em: EntityManager, serverId: string): Promise<void> {
  await sql`delete from backup where server_id = ${serverId}`.execute(em.getKysely());
}
