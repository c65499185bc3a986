// Compiles a fetch's rewrites: values that a subgraph expects in another form, and fields that the planner asked for under another name.
import type { FetchDataRewrite } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import { type Fields, isFields, readerOf, setField } from './fields.ts';
import { compileTypeCondition } from './representation.ts';

export interface Rewrites {
  apply(value: unknown): void;
  /** The name under which the client knows this field of a subgraph's answer. */
  nameOf(field: string): string;
}

const FRAGMENT = '... on ';

type Walk = (value: unknown) => void;

export function compileRewrites(rewrites: readonly FetchDataRewrite[] | undefined, schema: GraphQLSchema): Rewrites | undefined {
  if (!rewrites?.length) return undefined;
  const walks = rewrites.map((rewrite) => compileWalk(rewrite.path.slice(0, -1), compileChange(rewrite), schema));
  const renamed = new Map(rewrites.flatMap((rewrite) => (rewrite.kind === 'KeyRenamer' ? [[lastOf(rewrite), rewrite.renameKeyTo]] : [])));
  return {
    apply(value) {
      for (const walk of walks) walk(value);
    },
    nameOf: (field) => renamed.get(field) ?? field,
  };
}

const lastOf = (rewrite: FetchDataRewrite): string => {
  const last = rewrite.path.at(-1);
  if (last === undefined || last.startsWith(FRAGMENT)) throw new Error(`the plan rewrites no field: ${rewrite.path.join('.')}`);
  return last;
};

function compileChange(rewrite: FetchDataRewrite): (at: Fields) => void {
  const field = lastOf(rewrite);
  if (rewrite.kind === 'ValueSetter') {
    return (at) => {
      at[field] = rewrite.setValueTo;
    };
  }
  const read = readerOf(field);
  return (at) => {
    const value = read(at);
    if (value === undefined) return;
    setField(at, rewrite.renameKeyTo, value);
    at[field] = undefined;
  };
}

function compileWalk(path: readonly string[], change: (at: Fields) => void, schema: GraphQLSchema): Walk {
  const [first, ...rest] = path;
  const inner: (at: Fields) => void = first === undefined ? change : compileInner(first, compileWalk(rest, change, schema), schema);
  const walk: Walk = (value) => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (isFields(value)) inner(value);
  };
  return walk;
}

function compileInner(element: string, next: Walk, schema: GraphQLSchema): (at: Fields) => void {
  if (!element.startsWith(FRAGMENT)) {
    const read = readerOf(element);
    return (at) => next(read(at));
  }
  const applies = compileTypeCondition(element.slice(FRAGMENT.length), schema, true);
  return (at) => {
    if (applies(at)) next(at);
  };
}
