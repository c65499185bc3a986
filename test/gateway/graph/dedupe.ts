// Requests the same entity once per fetch, however often a list contains it.
import { type ExecutionResult, GraphQLError } from 'graphql';

interface Deduplicated {
  variables: Record<string, unknown>;
  /** The answer as if every representation had been sent: entities and errors are repeated for each duplicate. */
  expand(result: ExecutionResult): ExecutionResult;
}

/** Keeps each distinct representation of `variables` once. */
export function dedupe(variables: Record<string, unknown>): Deduplicated {
  const all = variables['representations'];
  if (!Array.isArray(all) || all.length < 2) return { variables, expand: (result) => result };
  const places = new Map<string, number>();
  const distinct: unknown[] = [];
  const placeOf = all.map((representation) => {
    const key = JSON.stringify(representation);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, distinct.length);
    return distinct.push(representation) - 1;
  });
  if (distinct.length === all.length) return { variables, expand: (result) => result };
  return { variables: { ...variables, representations: distinct }, expand: (result) => expand(result, placeOf) };
}

function expand(result: ExecutionResult, placeOf: number[]): ExecutionResult {
  const entities = result.data?.['_entities'];
  if (!Array.isArray(entities)) return result;
  const taken = new Set<number>();
  // Results are merged into the answer in place, so two places of a list must not share one object.
  const copies = placeOf.map((place) => {
    if (!taken.has(place)) {
      taken.add(place);
      return entities[place];
    }
    return structuredClone(entities[place]);
  });
  const errors = result.errors?.flatMap((error) =>
    error.path?.[0] === '_entities' && typeof error.path[1] === 'number'
      ? placeOf.flatMap((place, index) =>
          place === error.path?.[1]
            ? [new GraphQLError(error.message, { path: ['_entities', index, ...error.path.slice(2)], extensions: error.extensions })]
            : [],
        )
      : [error],
  );
  return { ...result, data: { ...result.data, _entities: copies }, ...(errors && { errors }) };
}
