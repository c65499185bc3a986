// Which values the schema allows for a leaf.
import { type GraphQLNamedType, isEnumType } from 'graphql';

const VALID: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string' || Number.isInteger(value),
  Int: Number.isInteger,
  Float: Number.isFinite,
  Boolean: (value) => typeof value === 'boolean',
};

/** Also an enum value that the API schema hides is not valid. Undefined for custom scalars: their subgraph has checked them. */
export const compileLeafCheck = (type: GraphQLNamedType): ((value: unknown) => boolean) | undefined =>
  isEnumType(type) ? (value) => typeof value === 'string' && type.getValue(value) !== undefined : VALID[type.name];
