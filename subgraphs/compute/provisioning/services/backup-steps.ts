// The steps that copy machines to the backup storage and restore them. A copy has the id of its operation in its note, so that a repeated step does not copy twice.
import { after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { isId, newId } from '#platform/ids.ts';
import { unseal } from '#platform/sealing.ts';
import type { BackupStep } from '../../operations/domain/vps-operation.ts';
import type { ProvisioningContext } from '../context.ts';
import { type BackupKind, SAFETY_KEPT_MS, backupsToDrop } from '../../backups/domain/vps-backup.ts';
import { backupsOfServer, dropBackup, insertBackup } from '../../backups/entities/backup.ts';
import { type OperationRow, operationsByIds } from '../../operations/entities/operation.ts';
import type { ServerRow } from '../../servers/entities/server.ts';
import type { SavedMachine } from '../../machines/providers/hypervisor.ts';
import { type StepRun, DONE, isUnderWay, next, proceed, wait } from './vps-steps.ts';
import { passwordPlace } from '../../servers/domain/server-secrets.ts';
import { refOf } from '../../machines/services/vps-machine.ts';

const kindOf = ({ command, scheduled }: OperationRow): BackupKind =>
  command === 'RESTORE' ? 'SAFETY' : scheduled ? 'SCHEDULED' : 'MANUAL';

const save: StepRun = async (input) => {
  const { ctx, server, operation, datacenter } = input;
  const { hypervisor } = datacenter;
  const ref = refOf(server);
  if (isUnderWay(input)) return wait(operation.work);
  const copy = (await hypervisor.saved(ref)).find(({ note }) => note === operation.id);
  if (!copy) return wait(await hypervisor.save(ref, operation.id));
  const kind = kindOf(operation);
  await inTransaction(ctx, ({ em, clock }) =>
    insertBackup(em, {
      id: newId('bkp', clock),
      serverId: server.id,
      operationId: operation.id,
      kind,
      volume: copy.volume,
      sizeBytes: copy.sizeBytes,
      takenAt: copy.savedAt,
      expiresAt: kind === 'SAFETY' ? after(clock.now(), SAFETY_KEPT_MS) : null,
    }),
  );
  return proceed(input);
};

/**
 * The copies of a machine that operations of its server made, recognised by the operation's id in their notes. The storage belongs to the datacenter: jobs of
 * its operator write there too, and the machine's number may have been another machine's before, even of another database. Copies without our mark must not be
 * touched.
 */
async function ourCopies(ctx: ProvisioningContext, server: ServerRow, copies: readonly SavedMachine[]): Promise<SavedMachine[]> {
  const marks = copies.map(({ note }) => note).filter((note) => isId('op', note));
  const ours = new Set((await operationsByIds(ctx.em, marks)).filter(({ serverId }) => serverId === server.id).map(({ id }) => id));
  return copies.filter(({ note }) => ours.has(note));
}

/** Deletes one copy per run; copies of operations that were broken off, which have no row, go first. */
const prune: StepRun = async ({ ctx, server, datacenter: { hypervisor } }) => {
  const ref = refOf(server);
  const known = await backupsOfServer(ctx.em, server.id);
  const copies = await ourCopies(ctx, server, await hypervisor.saved(ref));
  const stray = copies.find(({ volume }) => known.every((backup) => backup.volume !== volume));
  const [old] = backupsToDrop(known, ctx.clock.now());
  const volume = stray?.volume ?? old?.volume;
  if (volume === undefined) return DONE;
  if (copies.some((copy) => copy.volume === volume)) await hypervisor.dropSaved(ref, volume);
  if (!stray && old) await inTransaction(ctx, ({ em }) => dropBackup(em, old.id));
  return next('PRUNE');
};

const markOf = ({ id }: OperationRow): string => `replace ${id}`;

const mark: StepRun = async (input) => {
  const { server, operation, datacenter } = input;
  const ref = refOf(server);
  if ((await datacenter.hypervisor.inspect(ref)).note === markOf(operation)) return proceed(input);
  await datacenter.hypervisor.note(ref, markOf(operation));
  return wait(null);
};

/** It is done when the mark is gone, whatever the task has reported. */
const replace: StepRun = async (input) => {
  const { ctx, server, operation, datacenter } = input;
  const { hypervisor } = datacenter;
  const ref = refOf(server);
  if (isUnderWay(input)) return wait(operation.work);
  const { note, busy } = await hypervisor.inspect(ref);
  if (busy) return wait(operation.work);
  if (note !== markOf(operation)) return proceed(input);
  const backup = (await backupsOfServer(ctx.em, server.id)).find(({ id }) => id === operation.backupId);
  if (!backup) return { kind: 'fail', message: 'This backup is not kept any more.' };
  return wait(await hypervisor.replace(ref, backup.volume));
};

/** The restored disk may have an older password than the one that its owner sees. */
const letIn: StepRun = async (input) => {
  const { ctx, server, datacenter } = input;
  if (!server.passwordSealed || server.loginName === null) return proceed(input);
  const password = unseal(server.passwordSealed, ctx.providers.sealing, passwordPlace(server.id));
  await datacenter.hypervisor.setPassword(refOf(server), server.loginName, password);
  return proceed(input);
};

const wipe: StepRun = async ({ ctx, server, datacenter: { hypervisor } }) => {
  if (server.node === null || server.machineNumber === null) return DONE;
  const ref = refOf(server);
  const [copy] = await ourCopies(ctx, server, await hypervisor.saved(ref));
  if (!copy) return DONE;
  await hypervisor.dropSaved(ref, copy.volume);
  return next('WIPE');
};

export const BACKUP_STEPS: Record<BackupStep, StepRun> = {
  SAVE: save,
  PRUNE: prune,
  MARK: mark,
  REPLACE: replace,
  LET_IN: letIn,
  WIPE: wipe,
};
