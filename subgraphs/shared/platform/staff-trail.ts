// The audit trail of staff: each mutation that asks for a staff permission, and each such command, appends one event in its first transaction that commits.
// Accounts stores these events.
import type { GraphQLField, GraphQLSchema } from 'graphql';
import type { Context } from './context.ts';
import { type Trail, inTransaction } from './database.ts';
import { appendEvents } from './events.ts';
import type { StaffPermission } from './staff-permissions.ts';

export interface StaffAct {
  /** The field of the contract, or a command's name. */
  act: string;
  permission: StaffPermission;
  given: object;
}

const SECRET = /password|secret|token|base64/i;
const VALUE_MAX = 300;

/** The arguments, flat and as text: `input.reason` becomes `reason`. Secrets are masked, and long texts are cut. */
export function wordsOf(given: object): Record<string, string> {
  const words: Record<string, string> = {};
  const put = (name: string, value: unknown): void => {
    if (value === null || value === undefined || value === '') return;
    if (SECRET.test(name)) words[name] = '(secret)';
    else if (value instanceof Date) words[name] = value.toISOString();
    else if (Array.isArray(value))
      put(name, value.map((item) => (typeof item === 'object' && item !== null ? JSON.stringify(wordsOf(item)) : String(item))).join(', '));
    else if (typeof value === 'object')
      for (const [part, of] of Object.entries(value)) put(name === 'input' ? part : `${name}.${part}`, of);
    else words[name] = shortened(String(value));
  };
  for (const [name, value] of Object.entries(given)) put(name, value);
  return words;
}

const shortened = (text: string): string => (text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text);

/** The context for a member of staff's action: its first transaction that commits records the action. For anybody else the context is unchanged. */
export function leavingTrail<Ctx extends Context>(ctx: Ctx, { act, permission, given }: StaffAct): Ctx {
  const { viewer, clock } = ctx;
  if (viewer.kind !== 'session' || !viewer.staff) return ctx;
  const { accountId, address, requestId } = viewer;
  const data = { act, permission, given: wordsOf(given), address, requestId };
  const append: Trail['append'] = (em) =>
    appendEvents(em, { type: 'staff.acted', at: clock.now(), accountId: null, subject: accountId, data });
  return { ...ctx, trail: { written: false, append } };
}

/**
 * Runs a member of staff's action. When this resolves the action is recorded: by its first transaction, or by one of its own when it had none. An action that
 * fails before anything has changed is not recorded.
 */
export async function withTrail<Ctx extends Context, Result>(
  ctx: Ctx,
  act: StaffAct,
  work: (ctx: Ctx) => Promise<Result> | Result,
): Promise<Result> {
  const trailed = leavingTrail(ctx, act);
  const result = await work(trailed);
  if (trailed.trail && !trailed.trail.written) await inTransaction(trailed, () => Promise.resolve());
  return result;
}

/** Permissions whose reads are recorded too, because they show what people have done. */
const WATCHED: readonly StaffPermission[] = ['address_use'];

/** The staff permission that a field's `authScopes` require. */
const permissionOf = ({ extensions }: GraphQLField<unknown, Context>): StaffPermission | undefined =>
  (extensions['pothosOptions'] as { authScopes?: { staff?: StaffPermission } } | undefined)?.authScopes?.staff;

/** The subgraph's schema with operations that are recorded: mutations that need a staff permission, and queries that need a watched one. */
export function leavingTrails(schema: GraphQLSchema): GraphQLSchema {
  const [changes, reads] = [schema.getMutationType(), schema.getQueryType()].map((type) => Object.values(type?.getFields() ?? {}));
  const watched = reads?.filter((field) => WATCHED.some((permission) => permission === permissionOf(field)));
  for (const field of [...(changes ?? []), ...(watched ?? [])]) {
    const { name: act, resolve } = field;
    const permission = permissionOf(field);
    if (!resolve || permission === undefined) continue;
    field.resolve = (parent, given, ctx, info) =>
      withTrail(ctx, { act, permission, given }, (trailed) => resolve(parent, given, trailed, info));
  }
  return schema;
}
