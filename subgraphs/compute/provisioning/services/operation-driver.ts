// What differs between the operations of the two kinds of server; running them is common to both.
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

/** The result of running a step. `wait`: run it again later; `work` is the vendor's task that it waits for. */
export type Outcome =
  | { kind: 'next'; step: Step; change?: MachineChange; rebuilt?: true; trouble?: string }
  /** `trouble`: why it made no progress, in the vendor's words. */
  | { kind: 'wait'; work: string | null; lookMs?: number; trouble?: string }
  | { kind: 'done' }
  | { kind: 'fail'; message: string };

export interface OperationDriver {
  /** Runs the operation's step. May throw `VendorTrouble`, after which the step runs again. */
  look(input: OperationInput): Promise<Outcome>;
  /** What happens when the step is past its deadline; undefined: nothing. */
  late(operation: OperationRow): Outcome | undefined;
  /** The lifecycle event of a command that has succeeded, and of one that was given up. */
  succeeded: Partial<Record<Command, ServerEvent>>;
  failed: Partial<Record<Command, ServerEvent>>;
  /** The power state after a command has succeeded; undefined: unchanged. */
  powerAfter(operation: OperationRow, server: ServerRow): PowerState | undefined;
  /** Other changes of the server's row after a command has succeeded. */
  changeAfter(input: OperationInput): Partial<ServerRow>;
  /** What follows, in the transaction that ended the operation with success or failure; the server is locked. */
  afterSuccess(input: OperationInput): Promise<void>;
  afterFailure(input: OperationInput): Promise<void>;
  /** The real power state after an operation that failed; undefined: unchanged. */
  actualPower(ctx: ProvisioningContext, server: ServerRow, operation: OperationRow): Promise<PowerState | undefined>;
}
