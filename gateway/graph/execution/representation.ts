// Compiles the required fields of an entity fetch into functions that build the representation of an object from the fields known of it.
import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import { type GraphQLSchema, isAbstractType } from 'graphql';
import { type Fields, isFields, newFields, readerOf } from './fields.ts';
import { merge } from './merge.ts';

export interface Representing {
  /** Objects with the same key have the same representation. Undefined when a required field is not known. Much cheaper than the representation itself. */
  key(from: Fields): string | undefined;
  /** The representation, or null when a required field is not known. */
  build(from: Fields): Fields | null;
  /** Whether an object that has a representation consists of nothing else, so that it equals every other such object with the same key. */
  isWhole(from: Fields): boolean;
}

export function compileRepresentation(selections: readonly QueryPlanSelectionNode[], schema: GraphQLSchema): Representing {
  const steps = selections.map((selection) => compileStep(selection, schema));
  const leaves = leavesOf(selections);
  return {
    isWhole: (from) => leaves !== undefined && Object.keys(from).length === leaves,
    key(from) {
      let key = '';
      for (const step of steps) {
        const part = step.key(from);
        if (part === undefined) return undefined;
        key += part;
      }
      return key;
    },
    build(from) {
      const representation = newFields();
      for (const step of steps) if (!step.add(from, representation)) return null;
      return representation;
    },
  };
}

/** How many fields the representation has when it is of one type and has leaves alone. */
function leavesOf(selections: readonly QueryPlanSelectionNode[]): number | undefined {
  const [first] = selections;
  if (selections.length === 1 && first?.kind === 'InlineFragment') return leavesOf(first.selections);
  const names = selections.map((each) => (each.kind === 'Field' && !each.selections ? (each.alias ?? each.name) : undefined));
  return names.includes(undefined) ? undefined : new Set(names).size;
}

/** One selection. Neither function has a result when its value is not known, so that no representation can be built. */
interface Step {
  key(from: Fields): string | undefined;
  add(from: Fields, to: Fields): boolean;
}

const compileStep = (selection: QueryPlanSelectionNode, schema: GraphQLSchema): Step =>
  selection.kind === 'InlineFragment'
    ? fragmentStep(compileTypeCondition(selection.typeCondition, schema), compileRepresentation(selection.selections, schema))
    : fieldStep(selection.alias ?? selection.name, selection.selections && compileRepresentation(selection.selections, schema));

const fragmentStep = (applies: (from: Fields) => boolean, inner: Representing): Step => ({
  key: (from) => (applies(from) ? (inner.key(from) ?? '?') : '!'),
  add(from, to) {
    const part = applies(from) ? inner.build(from) : null;
    if (part) merge(to, part, false);
    return true;
  },
});

function fieldStep(name: string, inner: Representing | undefined): Step {
  const read = readerOf(name);
  const keyOf = (value: unknown): string => {
    // Every part says where it ends, so that no two lists of parts are the same text.
    if (typeof value === 'string') return `${value.length}:${value}`;
    if (!inner || typeof value !== 'object' || value === null) return `${JSON.stringify(value)},`;
    return Array.isArray(value) ? `[${value.map(keyOf).join('')}]` : `(${inner.key(value as Fields) ?? '?'})`;
  };
  const convert = (value: unknown): unknown => {
    if (!inner) return value;
    if (Array.isArray(value)) return value.map(convert);
    return isFields(value) ? inner.build(value) : value;
  };
  return {
    key(from) {
      const value = read(from);
      return value === undefined ? undefined : keyOf(value);
    },
    add(from, to) {
      const value = read(from);
      if (value === undefined) return false;
      to[name] = convert(value);
      return true;
    },
  };
}

/** A function that says whether an object's `__typename` is the type `name` or one of its members. `whenUnknown`: its result for an object without `__typename`. */
export function compileTypeCondition(name: string | undefined, schema: GraphQLSchema, whenUnknown = false): (from: Fields) => boolean {
  if (name === undefined) return () => false;
  const condition = schema.getType(name);
  const members = new Set(
    condition && isAbstractType(condition) ? [name, ...schema.getPossibleTypes(condition).map((type) => type.name)] : [name],
  );
  return ({ __typename: type }) => (typeof type === 'string' ? members.has(type) : whenUnknown);
}
