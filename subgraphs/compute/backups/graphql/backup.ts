import { SERVER_ACCESS, builder } from '../../builder.ts';
import { BACKUP_KINDS } from '../domain/vps-backup.ts';
import { type BackupRow, backupsOfServer } from '../entities/backup.ts';
import type { ServerRow } from '../../servers/entities/server.ts';
import { restoreBackup, takeBackup } from '../services/act-on-backups.ts';
import { Operation } from '../../operations/graphql/operation.ts';
import { Vps } from '../../servers/graphql/vps.ts';

const BackupKind = builder.enumType('BackupKind', { values: BACKUP_KINDS });

const Backup = builder.objectRef<BackupRow>('Backup').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: BackupKind }),
    takenAt: t.expose('takenAt', { type: 'DateTime' }),
    sizeBytes: t.float({ resolve: ({ sizeBytes }) => Number(sizeBytes) }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
  }),
});

const VpsBackups = builder.objectRef<ServerRow & { items: BackupRow[] }>('VpsBackups').implement({
  fields: (t) => ({
    enabled: t.exposeBoolean('backups'),
    lastAt: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: ({ items }) => items.find(({ kind }) => kind !== 'SAFETY')?.takenAt ?? null,
    }),
    nextAt: t.field({ type: 'DateTime', nullable: true, resolve: ({ backups, nextBackupAt }) => (backups ? nextBackupAt : null) }),
    items: t.expose('items', { type: [Backup] }),
  }),
});

builder.objectField(Vps, 'backups', (t) =>
  t.field({
    type: VpsBackups,
    resolve: async (server, _args, { em }) => ({ ...server, items: await backupsOfServer(em, server.id) }),
  }),
);

builder.mutationFields((t) => ({
  vpsTakeBackup: t.field({
    type: Operation,
    authScopes: SERVER_ACCESS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => takeBackup(ctx, id),
  }),
  vpsRestore: t.field({
    type: Operation,
    authScopes: SERVER_ACCESS,
    args: {
      id: t.arg.id({ required: true }),
      backup: t.arg.id({ required: true }),
      hostname: t.arg.string({ required: true }),
      idempotencyKey: t.arg.string(),
    },
    resolve: (_root, { id, backup, hostname, idempotencyKey }, ctx) =>
      restoreBackup(ctx, { backupId: backup, hostname }, { serverId: id, idempotencyKey: idempotencyKey ?? undefined }),
  }),
}));
