// What differs between two versions of the API, in words: what graphql-js finds dangerous or breaking, and what only adds.
import {
  type BreakingChangeType,
  type DangerousChangeType,
  type GraphQLNamedType,
  type GraphQLSchema,
  buildASTSchema,
  findBreakingChanges,
  findDangerousChanges,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { TIERS, type Tier, publicDocument } from './public-sdl.ts';

/** BREAKING: what works today may fail. RISKY: it goes on, but may read what it does not know. ADDED: nobody who does not ask for it sees it. */
export type ChangeKind = 'BREAKING' | 'RISKY' | 'ADDED';

export interface SchemaChange {
  kind: ChangeKind;
  /** One sentence, as graphql-js words it: `Query.servers was removed.` */
  description: string;
  /** What it does to those who ask; absent for what only adds. */
  reason?: string;
}

/** A change, and who sees it. */
export interface TieredChange extends SchemaChange {
  tiers: readonly Tier[];
}

const REFUSED = 'Documents that ask for it are refused.';
const NOT_GIVEN = 'Documents that do not give it are refused.';
const TYPES = 'Documents with another type for it are refused, and programs may read what they do not know.';

type FoundType = BreakingChangeType | DangerousChangeType;

/** What is not here only adds. */
const REASONS: Readonly<Partial<Record<FoundType, string>>> = {
  TYPE_REMOVED: REFUSED,
  TYPE_CHANGED_KIND: TYPES,
  TYPE_REMOVED_FROM_UNION: REFUSED,
  VALUE_REMOVED_FROM_ENUM: 'Documents that give it are refused.',
  REQUIRED_INPUT_FIELD_ADDED: NOT_GIVEN,
  IMPLEMENTED_INTERFACE_REMOVED: 'Fragments on the interface no longer match it.',
  FIELD_REMOVED: REFUSED,
  FIELD_CHANGED_KIND: 'Programs may read null, or what they do not know.',
  REQUIRED_ARG_ADDED: NOT_GIVEN,
  ARG_REMOVED: 'Documents that give it are refused.',
  ARG_CHANGED_KIND: TYPES,
  VALUE_ADDED_TO_ENUM: 'Programs may read a value that they do not know.',
  TYPE_ADDED_TO_UNION: 'Programs may read a type that they do not know.',
  ARG_DEFAULT_VALUE_CHANGE: 'Documents that do not give it mean something else.',
};

/** Directives say who may ask and what it costs: a change of theirs is seen in what each tier is shown. */
const IS_OF_DIRECTIVES = /DIRECTIVE/;

/** The changes from one version to the next: breaking ones first, then risky ones, then additions. */
export function changesBetween(before: GraphQLSchema, after: GraphQLSchema): SchemaChange[] {
  const told = (kind: ChangeKind, found: readonly { type: FoundType; description: string }[]) =>
    found
      .filter(({ type }) => !IS_OF_DIRECTIVES.test(type))
      .map(({ type, description }): SchemaChange => {
        const reason = REASONS[type];
        return reason === undefined ? { kind: 'ADDED', description } : { kind, description, reason };
      });
  const breaking = told('BREAKING', findBreakingChanges(before, after));
  const dangerous = told('RISKY', findDangerousChanges(before, after));
  const known = new Set([...breaking, ...dangerous].map(({ description }) => description));
  const added = [...additions(before, after)]
    .filter((description) => !known.has(description))
    .map((description): SchemaChange => ({ kind: 'ADDED', description }));
  return sorted([...breaking, ...dangerous, ...added]);
}

/** The changes between two versions with directives, as each tier sees them; one that several see is listed once. */
export function tieredChanges(before: string, after: string): TieredChange[] {
  const found = new Map<string, TieredChange & { tiers: Tier[] }>();
  const shown = (sdl: string, tier: Tier) => buildASTSchema(publicDocument(sdl, tier), { assumeValid: true });
  for (const tier of TIERS)
    for (const change of changesBetween(shown(before, tier), shown(after, tier))) {
      const key = `${change.kind} ${change.description}`;
      const known = found.get(key);
      if (known) known.tiers.push(tier);
      else found.set(key, { ...change, tiers: [tier] });
    }
  return sorted([...found.values()]);
}

const ORDER: readonly ChangeKind[] = ['BREAKING', 'RISKY', 'ADDED'];

const sorted = <Change extends SchemaChange>(changes: readonly Change[]): Change[] =>
  changes.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind) || one.description.localeCompare(other.description));

/** What graphql-js has no words for: new types and fields, types that promise more, deprecations. */
function* additions(before: GraphQLSchema, after: GraphQLSchema): Generator<string> {
  for (const type of Object.values(after.getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    const old = before.getType(type.name);
    if (!old) yield `${type.name} was added.`;
    else if (old.constructor === type.constructor) yield* additionsOf(old, type);
  }
}

function* additionsOf(old: GraphQLNamedType, type: GraphQLNamedType): Generator<string> {
  if ((isObjectType(old) || isInterfaceType(old)) && (isObjectType(type) || isInterfaceType(type))) {
    for (const field of Object.values(type.getFields())) {
      const place = `${type.name}.${field.name}`;
      const was = old.getFields()[field.name];
      if (!was) {
        yield `${place} was added.`;
        continue;
      }
      yield* deprecation(place, was, field);
      if (String(was.type) !== String(field.type)) yield `${place} changed type from ${was.type} to ${field.type}.`;
      for (const argument of field.args) {
        const before = was.args.find(({ name }) => name === argument.name);
        if (before && String(before.type) !== String(argument.type))
          yield `${place} arg ${argument.name} has changed type from ${before.type} to ${argument.type}.`;
      }
    }
  } else if (isInputObjectType(old) && isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) {
      const was = old.getFields()[field.name];
      if (!was) continue;
      yield* deprecation(`${type.name}.${field.name}`, was, field);
      if (String(was.type) !== String(field.type)) yield `${type.name}.${field.name} changed type from ${was.type} to ${field.type}.`;
    }
  } else if (isEnumType(old) && isEnumType(type)) {
    for (const value of type.getValues()) {
      const was = old.getValue(value.name);
      if (was) yield* deprecation(`${type.name}.${value.name}`, was, value);
    }
  }
}

interface Deprecable {
  deprecationReason?: string | null | undefined;
}

function* deprecation(place: string, before: Deprecable, after: Deprecable): Generator<string> {
  if (after.deprecationReason != null && before.deprecationReason == null) yield `${place} was deprecated: ${after.deprecationReason}`;
}
