// What each kind of server makes of its operations; carrying them on is common to both.
import type { ProvisioningContext } from '../context.ts';
import type { Command, Step } from '../../operations/domain/operation.ts';
import type { OperationRow } from '../../operations/entities/operation.ts';
import type { PowerState } from '../../servers/domain/server-action.ts';
import type { ServerEvent } from '../../servers/domain/server-lifecycle.ts';
import type { ServerRow } from '../../servers/entities/server.ts';

export interface OperationInput {
  ctx: ProvisioningContext;
  server: ServerRow;
  operation: OperationRow;
}

export type MachineChange = Partial<Pick<ServerRow, 'node' | 'machineNumber'>>;

/** What a look at a step came to. `wait`: look again soon; `work` is what is waited for. */
export type Outcome =
  | { kind: 'next'; step: Step; change?: MachineChange; rebuilt?: true; trouble?: string }
  /** `trouble`: what has kept it from coming further, in the vendor's words. */
  | { kind: 'wait'; work: string | null; lookMs?: number; trouble?: string }
  | { kind: 'done' }
  | { kind: 'fail'; message: string };

export interface OperationDriver {
  /** Runs the operation's step. May throw `VendorTrouble`, after which the step runs again. */
  look(input: OperationInput): Promise<Outcome>;
  /** What a deadline of the step decides; undefined: nothing. */
  late(operation: OperationRow): Outcome | undefined;
  /** What a command is to the server's life when it has succeeded, and when it was given up. */
  succeeded: Partial<Record<Command, ServerEvent>>;
  failed: Partial<Record<Command, ServerEvent>>;
  /** The power state that a command which succeeded leads to; undefined: leave it. */
  powerAfter(operation: OperationRow, server: ServerRow): PowerState | undefined;
  /** What else changes in the server's row when a command has succeeded. */
  changeAfter(input: OperationInput): Partial<ServerRow>;
  /** What follows, in the transaction that ended the operation well or gave it up; the server is locked. */
  afterSuccess(input: OperationInput): Promise<void>;
  afterFailure(input: OperationInput): Promise<void>;
  /** Power as it really is after an operation that failed; undefined: leave it. */
  actualPower(ctx: ProvisioningContext, server: ServerRow, operation: OperationRow): Promise<PowerState | undefined>;
}
