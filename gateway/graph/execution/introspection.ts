// Answers `__schema` and `__type` from the API schema.
import { type FieldNode, type FragmentDefinitionNode, type GraphQLSchema, Kind, type OperationDefinitionNode, executeSync } from 'graphql';
import type { Selections, Variables } from './selections.ts';

/** The value of one such field, by the schema that the caller may see; computed only once for each when its selections use no variable. */
export function compileIntrospection(
  { schema, fragments }: Selections,
  operation: OperationDefinitionNode,
  key: string,
  nodes: readonly FieldNode[],
): (variables: Variables, shown: GraphQLSchema | undefined) => unknown {
  const used = (operation.variableDefinitions ?? []).filter(({ variable }) => uses(nodes, variable.name.value, fragments));
  const definitions = [
    {
      ...operation,
      directives: [],
      variableDefinitions: used,
      selectionSet: { kind: Kind.SELECTION_SET, selections: nodes },
    } as OperationDefinitionNode,
    ...fragments.values(),
  ];
  const run = (variableValues: Variables, shown = schema) =>
    executeSync({ schema: shown, document: { kind: Kind.DOCUMENT, definitions }, variableValues }).data?.[key] ?? null;
  if (used.length) return run;
  const answers = new WeakMap<GraphQLSchema, { answer: unknown }>();
  return (_variables, shown = schema) => {
    const known = answers.get(shown) ?? { answer: run({}, shown) };
    answers.set(shown, known);
    return known.answer;
  };
}

/** Whether these fields, or a fragment that they use, contain the variable. */
function uses(nodes: readonly object[], variable: string, fragments: ReadonlyMap<string, FragmentDefinitionNode>): boolean {
  const seen = new Set<string>();
  const search = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(search);
    if (typeof value !== 'object' || value === null) return false;
    const node = value as { kind?: string; name?: { value: string } };
    if (node.kind === Kind.VARIABLE) return node.name?.value === variable;
    if (node.kind === Kind.FRAGMENT_SPREAD && node.name && !seen.has(node.name.value)) {
      seen.add(node.name.value);
      if (search(fragments.get(node.name.value)?.selectionSet)) return true;
    }
    return Object.entries(value).some(([name, inner]) => name !== 'loc' && search(inner));
  };
  return search(nodes);
}
