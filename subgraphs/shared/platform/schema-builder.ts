// A Pothos builder for one subgraph: federation, the scalars that all contracts share, and the authorization of fields.
import SchemaBuilder from '@pothos/core';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import DirectivesPlugin from '@pothos/plugin-directives';
import FederationPlugin from '@pothos/plugin-federation';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { GraphQLError, Kind } from 'graphql';
import { toDay } from './clock.ts';
import type { Context } from './context.ts';
import { type Params, fail } from './errors.ts';
import { type Scope, isPerson, memberOf } from './identity.ts';
import type { StaffPermission } from './staff-permissions.ts';
import { requirePermission, strangerError } from './staff-rights.ts';
import type { TeamPermission } from './team-permissions.ts';

/** Every contract has it: `extend schema @link(url: ...)`. */
export const FEDERATION = 'https://specs.apollo.dev/federation/v2.6';

type Scalars = {
  DateTime: { Input: Date; Output: Date };
  Date: { Input: string; Output: string };
  Bytes: { Input: bigint; Output: bigint };
  Params: { Input: never; Output: Params };
  ID: { Input: string; Output: string };
};

/** A root field needs `authScopes: { session: true }`, `{ key: 'read' }`, `{ $any: {...} }`, ... ; without it nobody may use it. */
type AuthScopes = {
  /** Everybody, signed in or not. */
  anyone: boolean;
  /** A signed-in person: in the account of a team one who has this permission there; true: in their own account alone. */
  session: true | TeamPermission;
  /** A member of staff who has this permission. */
  staff: StaffPermission;
  /** Internal callers. */
  system: boolean;
  /** An API key with this scope. */
  key: Scope;
  /** A signed-in person, in the account of a team with the permission of that name, or a key with this scope. */
  account: Scope;
};

type BuilderTypes<Ctx extends object> = {
  Context: Ctx;
  Scalars: Scalars;
  AuthScopes: AuthScopes;
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: false;
};

const refuse = (what: string) => new GraphQLError(`not ${what}`, { extensions: { code: 'parameter_invalid' } });

function parseInstant(value: unknown): Date {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value))) return new Date(value);
  throw refuse('an ISO 8601 instant');
}
function parseBytes(value: unknown): bigint {
  if (typeof value === 'string' && /^\d{1,18}$/.test(value)) return BigInt(value);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw refuse('a whole number of bytes');
}
function parseDay(value: unknown): string {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) return value;
  throw refuse('a day as YYYY-MM-DD');
}

export function createBuilder<Ctx extends Pick<Context, 'viewer'>>() {
  const builder = new SchemaBuilder<BuilderTypes<Ctx>>({
    plugins: [ScopeAuthPlugin, DataloaderPlugin, DirectivesPlugin, FederationPlugin],
    defaultFieldNullability: false,
    scopeAuth: {
      // Without this, a subscription would be refused only at its first event.
      authorizeOnSubscribe: true,
      authScopes: ({ viewer }) => ({
        anyone: true,
        session: (permission) => isPerson(viewer, permission),
        staff(permission) {
          requirePermission(viewer, permission);
          return true;
        },
        system: viewer.kind === 'system',
        key: (scope) => viewer.kind === 'key' && viewer.scopes.includes(scope),
        account: (scope) => isPerson(viewer, scope) || (viewer.kind === 'key' && viewer.scopes.includes(scope)),
      }),
      unauthorizedError: (_parent, { viewer }) => (memberOf(viewer) ? fail('team_role_missing') : strangerError(viewer)),
    },
  });
  const literal = (parse: (value: unknown) => unknown) => (node: { kind: string; value?: unknown }) =>
    parse(node.kind === Kind.INT ? Number(node.value) : node.kind === Kind.STRING ? node.value : undefined);
  builder.scalarType('DateTime', {
    serialize: (value) => value.toISOString(),
    parseValue: parseInstant,
    parseLiteral: (node) => literal(parseInstant)(node) as Date,
  });
  builder.scalarType('Params', {
    serialize: (value) => value,
    parseValue: () => {
      throw refuse('an input');
    },
  });
  return builder;
}

type Builder = { scalarType: (name: never, options: never) => unknown };

/** Adds the scalars of contracts that count bytes. */
export function addDataScalars(builder: Builder): void {
  const add = builder.scalarType as (name: string, options: object) => unknown;
  add.call(builder, 'Bytes', {
    serialize: (value: bigint) => value.toString(),
    parseValue: parseBytes,
    parseLiteral: (node: { value?: unknown }) => parseBytes(node.value),
  });
  addDayScalar(builder);
}

/** Adds the scalar of contracts that name days. */
export function addDayScalar(builder: Builder): void {
  const add = builder.scalarType as (name: string, options: object) => unknown;
  add.call(builder, 'Date', {
    serialize: (value: string | Date) => (value instanceof Date ? toDay(value) : value),
    parseValue: parseDay,
    parseLiteral: (node: { value?: unknown }) => parseDay(node.value),
  });
}
