// Builds queries for the access matrix: with all required arguments and the owner's ids in them, and with as many selected fields as possible.
import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { IDS, ROOTS, type Root, type Thing, idsIn, isCursor } from './access-doors.ts';

const DEPTH = 2;
/** Pages of lists have their own test, with cursors of others (`PLACES`). */
const isPage = (type: GraphQLOutputType): boolean => {
  const named = getNamedType(type);
  return isObjectType(named) && ['items', 'next'].every((name) => name in named.getFields());
};
/** Types that a root field returns; their nested objects are selected there. */
const ASKED = new Set(ROOTS.filter(({ kind }) => kind === 'Query').map(({ field }) => getNamedType(field.type).name));
/** All fields without arguments, two objects deep, but without the nested objects of types in `ASKED`. */
function selectionOf(type: GraphQLOutputType, depth = DEPTH): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named)) return '{ __typename id }';
  const fields = Object.values(named.getFields()).flatMap((field) => {
    if (field.args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)) return [];
    if (isLeafType(getNamedType(field.type))) return [field.name];
    if (isPage(field.type)) return [];
    return depth > 0 ? [`${field.name} ${selectionOf(field.type, ASKED.has(getNamedType(field.type).name) ? 0 : depth - 1)}`] : [];
  });
  return `{ ${['__typename', ...fields].join(' ')} }`;
}

/** Argument -> a value that passes validation, where a value of its type alone is not enough. */
const WORDS: Record<string, unknown> = { pool: 'Worldwide' };

const LEAVES: Record<string, unknown> = {
  String: 'x',
  Int: 1,
  Float: 1,
  Boolean: true,
  Bytes: '5000000000',
  DateTime: '2099-01-01T00:00:00Z',
  Date: '2026-01-01',
};

function valueFor(path: string, type: GraphQLInputType, things: Record<Thing, string>): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [valueFor(path, nullable.ofType, things)];
  const named = getNamedType(type);
  if (named.name === 'ID') return isCursor(path) ? undefined : things[IDS[path] ?? 'none'];
  if (isEnumType(named)) return named.getValues()[0]?.name;
  if (isInputObjectType(named)) {
    const inside = Object.values(named.getFields()).filter(
      (each) => (isNonNullType(each.type) && each.defaultValue === undefined) || getNamedType(each.type).name === 'ID',
    );
    return Object.fromEntries(inside.map((each) => [each.name, valueFor(`${path}.${each.name}`, each.type, things)]));
  }
  return WORDS[path.split('.').at(-1) ?? ''] ?? LEAVES[named.name];
}
const wanted = (arg: GraphQLArgument, path: string) => isNonNullType(arg.type) || idsIn(path, arg.type).length > 0;

/** The document and variables of a root field with the ids of these objects. */
export function documentOf({ kind, path, field }: Root, things: Record<Thing, string>) {
  const args = field.args.filter((arg) => wanted(arg, `${path}.${arg.name}`));
  const variables = Object.fromEntries(args.map((arg) => [arg.name, valueFor(`${path}.${arg.name}`, arg.type, things)]));
  const heads = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const uses = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  return {
    query: `${kind.toLowerCase()}${heads && `(${heads})`} { ${field.name}${uses && `(${uses})`} ${selectionOf(field.type, isListType(getNullableType(field.type)) ? 0 : DEPTH)} }`,
    variables,
  };
}
