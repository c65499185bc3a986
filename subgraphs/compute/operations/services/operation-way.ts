// What each kind of server makes of its operations; carrying them on is common to both.
import { appendEvents } from '#platform/events.ts';
import type { ComputeContext } from '../../builder.ts';
import type { Step } from '../domain/operation.ts';
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

const CHANGED = { VPS: 'compute_vps.changed', DEDICATED: 'compute_dedicated.changed' } as const;

/** Tells pages that something of a server is another one, in the transaction of `ctx.em`; with the operation that did it. */
export const announceChange = (
  ctx: ComputeContext,
  { id: subject, accountId, kind }: Pick<ServerRow, 'id' | 'accountId' | 'kind'>,
  data: { operationId?: string; step?: Step } = {},
): Promise<void> => appendEvents(ctx.em, { type: CHANGED[kind], at: ctx.clock.now(), accountId, subject, data });

/** What every fact of a server says. */
export const aboutServer = ({ clock }: ComputeContext, { id: subject, accountId }: Pick<ServerRow, 'id' | 'accountId'>) => ({
  at: clock.now(),
  accountId,
  subject,
});
