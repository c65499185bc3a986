// Random valid operations on a graph, for comparing executors.
import fc from 'fast-check';
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** A number below the limit. */
export type Pick = (limit: number) => number;

/** The variables that the operations use. */
export const VARIABLES = { yes: true, no: false, count: 2 };

const DEFINITIONS = { yes: 'Boolean!', no: 'Boolean!', count: 'Int' };
const CONDITIONS = ['', '', '', ' @include(if: $yes)', ' @skip(if: $yes)', ' @include(if: $no)', ' @skip(if: $no)'];

export const operations = (schema: GraphQLSchema) =>
  fc.infiniteStream(fc.nat(0x7fffffff)).map((numbers) => {
    const pick: Pick = (limit) => (limit === 0 ? 0 : (numbers.next().value as number) % limit);
    const body = selections(schema, schema.getQueryType() as GraphQLNamedType, 4, pick);
    const used = Object.entries(DEFINITIONS).flatMap(([name, type]) => (body.includes(`$${name}`) ? [`$${name}: ${type}`] : []));
    return `query${used.length ? `(${used.join(', ')})` : ''} ${body}`;
  });

/** A selection set of random fields of a type. */
function selections(schema: GraphQLSchema, type: GraphQLNamedType, depth: number, pick: Pick): string {
  const parts: string[] = [];
  const condition = () => CONDITIONS[pick(CONDITIONS.length)] ?? '';
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  for (let count = 0; count < 1 + pick(4); count++) {
    const field = fields[pick(fields.length)];
    if (!field) continue;
    const named = getNamedType(field.type);
    if (isCompositeType(named) && depth === 0) continue;
    const inner = isCompositeType(named) ? ` ${selections(schema, named, depth - 1, pick)}` : '';
    parts.push(`${called(field, pick)}${condition()}${inner}`);
  }
  if (isAbstractType(type)) {
    for (const possible of schema.getPossibleTypes(type))
      if (pick(2)) parts.push(`... on ${possible.name}${condition()} ${selections(schema, possible, depth, pick)}`);
  } else if (depth > 0 && pick(5) === 0) parts.push(`...${condition()} ${selections(schema, type, depth - 1, pick)}`);
  if (pick(4) === 0) parts.push(pick(2) ? '__typename' : 'kind: __typename');
  return `{ ${parts.join(' ') || '__typename'} }`;
}

/** The field with arguments. They are part of its alias, so that a field with different arguments never conflicts. */
function called(field: GraphQLField<unknown, unknown>, pick: Pick): string {
  const given = field.args.flatMap((argument) => {
    if (argument.name === 'id') return [`id: "${['1', '2', '3', '13', 'gone', 'none'][pick(6)]}"`];
    if (argument.name === 'first' && pick(2)) return [`first: ${pick(2) ? '$count' : pick(4)}`];
    return isNonNullType(argument.type) ? [`${argument.name}: "x"`] : [];
  });
  const aliased = given.length || pick(3) === 0;
  const alias = aliased ? `${field.name}_${given.join('').replace(/\W/g, '')}_${given.length ? '' : pick(2)}: ` : '';
  return `${alias}${field.name}${given.length ? `(${given.join(', ')})` : ''}`;
}
