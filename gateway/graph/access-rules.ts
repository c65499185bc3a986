// Who may ask for a field, as the contracts say it by `@requiresScopes`, `@session` and `@staff`, which the supergraph carries. Subgraphs enforce the same by
// themselves (a contract test compares); here a key is told what it lacks before anybody is asked.
import { type FieldNode, valueFromASTUntyped } from 'graphql';
import { type Failure, because, fail } from '#platform/errors.ts';
import type { Scope, Viewer } from '#platform/identity.ts';
import { type DeclaredField, directiveOf } from '../../schema/declared-fields.ts';

export interface FieldAccess {
  /** An API key needs all of one of these lists; undefined: the contract names none. */
  scopes: readonly (readonly Scope[])[] | undefined;
  /** For a signed-in person alone. */
  session: boolean;
  /** For members of staff alone. */
  staff: boolean;
}

/** `Type.field` -> who may ask for it; a field that is missing is for everybody. */
export type AccessRules = ReadonlyMap<string, FieldAccess>;

/** Reads the rules of the fields of a supergraph or a contract. */
export function accessRulesOf(fields: Iterable<DeclaredField>): AccessRules {
  const rules = new Map<string, FieldAccess>();
  for (const field of fields) {
    const [session, staff] = [directiveOf(field, 'session') !== undefined, directiveOf(field, 'staff') !== undefined];
    const value = directiveOf(field, 'requiresScopes')?.arguments?.find((argument) => argument.name.value === 'scopes')?.value;
    const scopes = value && (valueFromASTUntyped(value) as Scope[][]);
    if (scopes || session || staff) rules.set(field.id, { scopes, session, staff });
  }
  return rules;
}

/** The failure of a key that lacks a scope, which names it. */
export const scopeMissing = (scope: Scope): Failure =>
  fail('forbidden', { required_scope: scope, reason: because('key_lacks_scope', { scope }) });

const ROOT = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;
type Kinds = keyof typeof ROOT;

/** Why a key may not ask for a root field; undefined: it may, or only its subgraph knows. What changes something must name its scope: everything else is refused. */
function refusalOf(viewer: Viewer, rules: AccessRules, kind: Kinds, field: string): Failure | undefined {
  if (viewer.kind !== 'key' || field.startsWith('__')) return undefined;
  const rule = rules.get(`${ROOT[kind]}.${field}`);
  if (rule?.scopes) {
    const lacking = rule.scopes.map((needed) => needed.filter((scope) => !viewer.scopes.includes(scope)));
    if (lacking.some((scopes) => scopes.length === 0)) return undefined;
    return scopeMissing(lacking[0]?.[0] ?? 'read');
  }
  if (rule?.staff) return fail('forbidden');
  if (rule?.session) return fail('forbidden', { reason: because('key_not_session') });
  return kind === 'mutation' ? fail('forbidden', { reason: because('key_reads_only') }) : undefined;
}

interface Asked {
  kind: Kinds;
  roots: readonly FieldNode[];
  graph: { access: AccessRules };
}

/**
 * Throws `forbidden`, with the scope that is missing, when a key may not run an operation: nothing of a mutation or a subscription that holds a field it may not ask
 * for, and nothing of a query that holds no other. The rest of a query is answered, and the subgraph refuses the field.
 */
export function requireMayRun(viewer: Viewer, asked: Asked): void {
  if (viewer.kind !== 'key') return;
  const refusals = asked.roots.map(({ name }) => refusalOf(viewer, asked.graph.access, asked.kind, name.value));
  const refused = refusals.find((failure) => failure !== undefined);
  if (refused && (asked.kind !== 'query' || refusals.every((failure) => failure !== undefined))) throw refused;
}

/** Why a key was refused what the answer has at this place; undefined where the contract does not say it. */
export function whyRefused(viewer: Viewer, asked: Asked, [key]: readonly (string | number)[]): Failure | undefined {
  const field = asked.roots.find(({ alias, name }) => (alias ?? name).value === key);
  return field && refusalOf(viewer, asked.graph.access, asked.kind, field.name.value);
}
