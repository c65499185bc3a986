// Normalises a subgraph's SDL, so that contract and code can be compared.
import {
  type ASTNode,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  Kind,
  type NamedTypeNode,
  parse,
  print,
  visit,
} from 'graphql';

/** Types that federation adds; contracts do not contain them. */
const FEDERATION_TYPES = ['_Service', '_Entity', '_Any', 'FieldSet', 'link__Import', 'link__Purpose', 'federation__FieldSet'];
const FEDERATION_FIELDS = ['_service', '_entities'];

/** What the gateway reads from the supergraph: weights, which no code says again, and who may ask, which access-directives.test.ts compares. */
const GATEWAY_DIRECTIVES = ['cost', 'listSize', 'requiresScopes', 'session', 'staff', 'semanticNonNull'];

interface Named {
  name: { value: string };
}

const byName = <Node extends Named>(nodes: readonly Node[]): Node[] =>
  [...nodes].sort((one, other) => one.name.value.localeCompare(other.name.value));
const isMissing = (definition: DefinitionNode) =>
  definition.kind === Kind.DIRECTIVE_DEFINITION ||
  definition.kind === Kind.SCHEMA_DEFINITION ||
  definition.kind === Kind.SCHEMA_EXTENSION ||
  ('name' in definition && definition.name !== undefined && FEDERATION_TYPES.includes(definition.name.value));

/** Removes descriptions, `@link`, directive definitions, federation's types and what only the gateway reads; sorts by name; makes `extend type Query` a `type Query`. */
export function canonicalSdl(sdl: string): string {
  const document = parse(sdl, { noLocation: true });
  const definitions = document.definitions.filter((definition) => !isMissing(definition)).map(toDefinition);
  const sorted = definitions.sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
  return print(visit({ kind: Kind.DOCUMENT, definitions: sorted } as DocumentNode, { enter: canonicalNode }));
}

const nameOf = (node: object): string => (node as Partial<Named>).name?.value ?? '';

function toDefinition(definition: DefinitionNode): DefinitionNode {
  return definition.kind === Kind.OBJECT_TYPE_EXTENSION ? { ...definition, kind: Kind.OBJECT_TYPE_DEFINITION } : definition;
}

function canonicalNode(node: ASTNode): ASTNode | undefined {
  const copy: Record<string, unknown> = { ...node };
  delete copy['description'];
  for (const list of ['fields', 'values', 'arguments'] as const)
    if (Array.isArray(copy[list])) copy[list] = byName(copy[list] as Named[]).filter(({ name }) => !FEDERATION_FIELDS.includes(name.value));
  if (Array.isArray(copy['interfaces'])) copy['interfaces'] = byName(copy['interfaces'] as NamedTypeNode[]);
  if (Array.isArray(copy['directives']))
    copy['directives'] = (copy['directives'] as ConstDirectiveNode[])
      .filter(({ name }) => !GATEWAY_DIRECTIVES.includes(name.value))
      .sort((one, other) => print(one).localeCompare(print(other)));
  return copy as unknown as ASTNode;
}
