// What members of staff do leaves a trail: each operation of the contract that changes something and asks for a permission, and each command that does,
// appends one event in the first transaction of it that commits. Accounts keeps these events for whoever looks later.
import type { GraphQLField, GraphQLSchema } from 'graphql';
import type { Context } from './context.ts';
import { type Trail, inTransaction } from './database.ts';
import { appendEvents } from './events.ts';
import type { StaffPermission } from './staff-permissions.ts';

export interface StaffAct {
  /** The field of the contract, or the words of a command. */
  act: string;
  permission: StaffPermission;
  given: object;
}

const SECRET = /password|secret|token|base64/i;
const VALUE_MAX = 300;

/** What was given, flat and as text: `input.reason` is `reason`. What is secret is not written down, and long texts are cut. */
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

/** The context with which a member of staff does this: its first transaction that commits says so. That of anybody else is as it was. */
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
 * Runs what a viewer does as a member of staff. When this resolves it has left its trail: with its first transaction, or by itself when it had none. What
 * fails before anything has changed leaves none.
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

/** To look is an act as well, where it is at what people have done. */
const WATCHED: readonly StaffPermission[] = ['address_use'];

/** The permission that a field's `authScopes` ask for. */
const permissionOf = ({ extensions }: GraphQLField<unknown, Context>): StaffPermission | undefined =>
  (extensions['pothosOptions'] as { authScopes?: { staff?: StaffPermission } } | undefined)?.authScopes?.staff;

/** The schema of a subgraph, whose operations leave trails: those that change something, and what is read of people by a permission that is watched. */
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
