// Compiles what an entity fetch requires into a function that builds a representation from what is known of an object.
import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import { type GraphQLSchema, isAbstractType } from 'graphql';
import { type Fields, isFields, merge, newFields } from './merge.ts';

/** The representation; null when something required is not known. */
export type Represent = (from: Fields) => Fields | null;

export function compileRepresentation(selections: readonly QueryPlanSelectionNode[], schema: GraphQLSchema): Represent {
  const steps = selections.map((selection) => compileStep(selection, schema));
  return (from) => {
    const representation = newFields();
    for (const step of steps) if (!step(from, representation)) return null;
    return representation;
  };
}

/** Adds its part; false when the whole cannot be built. */
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

/** Whether an object's `__typename` is the type or one of its members. */
export function compileTypeCondition(name: string | undefined, schema: GraphQLSchema, whenUnknown = false): (from: Fields) => boolean {
  if (name === undefined) return () => false;
  const condition = schema.getType(name);
  const members = new Set(
    condition && isAbstractType(condition) ? [name, ...schema.getPossibleTypes(condition).map((type) => type.name)] : [name],
  );
  return ({ __typename: type }) => (typeof type === 'string' ? members.has(type) : whenUnknown);
}
