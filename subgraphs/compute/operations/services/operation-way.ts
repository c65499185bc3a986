// What each kind of server makes of its operations; carrying them on is common to both.
import { appendEvents } from '#platform/events.ts';
import type { ComputeContext } from '../../builder.ts';
import type { PowerState } from '../../servers/domain/server-action.ts';
import type { OperationRow } from '../entities/operation.ts';
import type { ServerRow } from '../../servers/entities/server.ts';
import type { Outcome } from './steps.ts';

export interface OperationInput {
  ctx: ComputeContext;
  server: ServerRow;
  operation: OperationRow;
}

export interface OperationWay {
  /** Runs the operation's step. May throw `VendorTrouble`, after which the step runs again. */
  look(input: OperationInput): Promise<Outcome>;
  /** What a deadline of the step decides; undefined: nothing. */
  late(operation: OperationRow): Outcome | undefined;
  /** In the transaction that ended the operation well; the server is locked. */
  succeed(tx: ComputeContext, server: ServerRow, operation: OperationRow): Promise<void>;
  /** In the transaction that gave it up; the server is locked. */
  fail(tx: ComputeContext, server: ServerRow, operation: OperationRow, message: string): Promise<void>;
  /** Power as it really is after an operation that failed; undefined: leave it. */
  actualPower(ctx: ComputeContext, server: ServerRow, operation: OperationRow): Promise<PowerState | undefined>;
}

/** Appends what has happened to a server, in the transaction of `ctx.em`: `compute_vps.<what>` or `compute_dedicated.<what>`. */
export const announce = (
  ctx: ComputeContext,
  { id: subject, accountId, kind }: Pick<ServerRow, 'id' | 'accountId' | 'kind'>,
  what: string,
  data: Record<string, unknown> = {},
): Promise<void> =>
  appendEvents(ctx.em, {
    type: `${kind === 'VPS' ? 'compute_vps' : 'compute_dedicated'}.${what}`,
    at: ctx.clock.now(),
    accountId,
    subject,
    data,
  });
