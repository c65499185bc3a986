// Begins operations, in the transaction of the decision.
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { CatalogueContext } from '../../catalogue/context.ts';
import type { Command, ServerRef } from '../domain/operation.ts';
import { type OperationRow, endOperation, insertOperation, runningOperation } from '../entities/operation.ts';
import { announceChange } from './server-events.ts';

export interface Beginning {
  command: Command;
  /** The password that the operation sets, sealed to the server. */
  secretSealed?: Buffer;
  /** The backup that a restore restores. */
  backupId?: string;
  /** Whether the schedule began this backup. */
  scheduled?: boolean;
  /** The node that a machine moves to. */
  target?: string;
  /** The reason for which it replaces a running operation; absent: it does not replace one. */
  supersede?: string;
}

/** Begins an operation of a server that the caller has locked; returns it. Throws action_not_allowed while another one runs and `supersede` is absent. */
export async function beginOperation(
  ctx: CatalogueContext,
  server: ServerRef,
  { command, supersede, ...rest }: Beginning,
): Promise<OperationRow> {
  const { em, clock, jobs } = ctx;
  const at = clock.now();
  const running = supersede === undefined ? undefined : await runningOperation(em, server.id);
  if (running) await endOperation(em, running, at, { code: 'superseded', message: supersede ?? '' });
  const id = newId('op', clock);
  const begun = await insertOperation(em, {
    id,
    serverId: server.id,
    accountId: server.accountId,
    command,
    at,
    ...rest,
  });
  if (!begun) throw fail('action_not_allowed', { reason: because('server_busy') });
  await announceChange(ctx, server, { operationId: id });
  await jobs.enqueue(em, 'compute.operation-continue', { operationId: id }, { key: id });
  return begun;
}
