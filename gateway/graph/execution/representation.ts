// Compiles the required fields of an entity fetch into a function that builds the representation of an object from the fields known of it.
import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import { type GraphQLSchema, isAbstractType } from 'graphql';
import { type Fields, isFields, merge, newFields } from './merge.ts';

/** Returns the representation, or null when a required field is not known. */
export type Represent = (from: Fields) => Fields | null;

export function compileRepresentation(selections: readonly QueryPlanSelectionNode[], schema: GraphQLSchema): Represent {
  const steps = selections.map((selection) => compileStep(selection, schema));
  return (from) => {
    const representation = newFields();
    for (const step of steps) if (!step(from, representation)) return null;
    return representation;
  };
}

/** Adds one selection to the representation; false when its value is not known, so that no representation can be built. */
type Step = (from: Fields, to: Fields) => boolean;

function compileStep(selection: QueryPlanSelectionNode, schema: GraphQLSchema): Step {
  if (selection.kind === 'InlineFragment') {
    const applies = compileTypeCondition(selection.typeCondition, schema);
    const inner = compileRepresentation(selection.selections, schema);
    return (from, to) => {
      if (!applies(from)) return true;
      const part = inner(from);
      if (part) merge(to, part, false);
      return true;
    };
  }
  const name = selection.alias ?? selection.name;
  const inner = selection.selections && compileRepresentation(selection.selections, schema);
  const convert = (value: unknown): unknown => {
    if (!inner) return value;
    if (Array.isArray(value)) return value.map(convert);
    return isFields(value) ? inner(value) : value;
  };
  return (from, to) => {
    const value = from[name];
    if (value === undefined) return false;
    to[name] = convert(value);
    return true;
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
