// Reinstall OS of a dedicated server: its owner chooses the system and the password; everything on it is wiped. Spec, States: Dedicated.
import { inTransaction } from '#platform/database.ts';
import { next } from '#platform/lifecycle.ts';
import { seal } from '#platform/secrets.ts';
import type { ComputeContext } from '../../builder.ts';
import { OPERATING_SYSTEMS, type OperatingSystem } from '../domain/operating-system.ts';
import { DEDICATED_LIFECYCLE, type DedicatedStatus } from '../domain/server-lifecycle.ts';
import { checkServerPassword } from '../domain/server-password.ts';
import type { OperationRow } from '../../operations/entities/operation.ts';
import { updateServer } from '../entities/server.ts';
import { begunOperation } from './act-on-server.ts';
import { beginOperation } from '../../operations/services/begin-operation.ts';
import { newPassword } from '../../orders/services/order-vps.ts';
import { lockOwnServer } from './server-facts.ts';
import { passwordPlace } from '../../operations/services/steps.ts';

export interface Reinstall {
  os: OperatingSystem;
  /** Absent: one is generated. */
  password?: string;
}

/** Errors: server_not_found, action_not_allowed, parameter_invalid. */
export function reinstallServer(ctx: ComputeContext, serverId: string, { os, password }: Reinstall): Promise<OperationRow> {
  const chosen = password === undefined ? newPassword() : checkServerPassword(password);
  return inTransaction(ctx, async (tx) => {
    const server = await lockOwnServer(tx, serverId, 'reinstall', 'DEDICATED');
    const status = next(DEDICATED_LIFECYCLE, server.status as DedicatedStatus, 'reinstall_started');
    // What was on it is given up here and now, so the new system's facts are the server's.
    await updateServer(tx.em, serverId, {
      os,
      loginName: OPERATING_SYSTEMS[os].loginName,
      powerState: 'RESTARTING',
      ...(status && { status }),
    });
    const secretSealed = seal(chosen, tx.providers.sealing, passwordPlace(serverId));
    return begunOperation(tx, await beginOperation(tx, server, { command: 'REINSTALL', secretSealed }));
  });
}
