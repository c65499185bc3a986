// The schema as its readers see it: the supergraph without what belongs to federation, and without what is not for them. Customers and partners build on it.
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type NamedTypeNode,
  type TypeNode,
  parse,
  print,
} from 'graphql';
import { directiveOf } from './declared-fields.ts';

/** customer: what a signed-in person may ask; partner: what API keys may; staff: everything. */
export const TIERS = ['customer', 'partner', 'staff'] as const;
export type Tier = (typeof TIERS)[number];

/** Directives of a field that say who may not ask for it. */
const HIDES: Readonly<Record<Tier, readonly string[]>> = { customer: ['staff'], partner: ['staff', 'session'], staff: [] };
/** Directives that readers learn something from. */
const SHOWN = ['cost', 'listSize', 'requiresScopes', 'session', 'staff', 'semanticNonNull', 'deprecated', 'specifiedBy', 'oneOf'];
const ROOTS = ['Query', 'Mutation', 'Subscription'];
const IS_FEDERATION = /^(join|link|federation|core)__/;

const HEAD: Readonly<Record<Tier, string>> = {
  customer: '# The API as customers see it.',
  partner: '# The API as holders of API keys see it: @requiresScopes says which scope a key needs.',
  staff: '# The whole API, with what is for staff alone.',
};

type Fielded = { name: { value: string }; fields?: readonly FieldDefinitionNode[]; interfaces?: readonly NamedTypeNode[] };

/** The schema of a supergraph for these readers, as a document. */
export function publicDocument(supergraphSdl: string, tier: Tier): DocumentNode {
  const hidden = [...HIDES[tier], 'inaccessible'];
  const shownDirectives = SHOWN.filter((name) => !HIDES[tier].includes(name));
  const isHidden = ({ directives = [] }: { directives?: readonly ConstDirectiveNode[] }) =>
    directives.some(({ name }) => hidden.includes(name.value));
  // A key changes nothing but what names its scope.
  const isRefused = (type: string, field: FieldDefinitionNode) =>
    tier === 'partner' && type === 'Mutation' && !directiveOf(field, 'requiresScopes');
  const bare = <Node extends { directives?: readonly ConstDirectiveNode[] }>(node: Node): Node => ({
    ...node,
    directives: node.directives?.filter(({ name }) => shownDirectives.includes(name.value)) ?? [],
  });
  const present = <Node extends { directives?: readonly ConstDirectiveNode[] }>(nodes: readonly Node[] | undefined): Node[] =>
    (nodes ?? []).filter((node) => !isHidden(node)).map(bare);

  const definitions = parse(supergraphSdl, { noLocation: true }).definitions.flatMap((node): DefinitionNode[] => {
    if (node.kind === Kind.DIRECTIVE_DEFINITION) return shownDirectives.includes(node.name.value) ? [node] : [];
    if (!('name' in node) || !node.name || IS_FEDERATION.test(node.name.value)) return [];
    if (isHidden(node as never)) return [];
    const type = bare(node as never) as DefinitionNode;
    if (type.kind === Kind.OBJECT_TYPE_DEFINITION || type.kind === Kind.INTERFACE_TYPE_DEFINITION) {
      const fields = present(type.fields)
        .filter((field) => !isRefused(type.name.value, field))
        .map((field) => ({ ...field, arguments: present(field.arguments) }));
      return fields.length > 0 ? [{ ...type, fields }] : [];
    }
    if (type.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) return [{ ...type, fields: present(type.fields) }];
    if (type.kind === Kind.ENUM_TYPE_DEFINITION) return [{ ...type, values: present(type.values) }];
    return [type];
  });
  return { kind: Kind.DOCUMENT, definitions: tier === 'staff' ? definitions : reachable(definitions) };
}

/** The same as text. */
export const publicSdl = (supergraphSdl: string, tier: Tier): string => `${HEAD[tier]}\n\n${print(publicDocument(supergraphSdl, tier))}\n`;

/** Without types that no field leads to any more. An object is reached by its interface as well. */
function reachable(definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const byName = new Map(definitions.flatMap((node) => ('name' in node && node.name ? [[node.name.value, node] as const] : [])));
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const node = byName.get(name);
    if (!node || seen.has(name)) return;
    seen.add(name);
    if (node.kind === Kind.UNION_TYPE_DEFINITION) for (const member of node.types ?? []) visit(member.name.value);
    if (node.kind === Kind.INTERFACE_TYPE_DEFINITION)
      for (const other of definitions) if (implementsInterface(other, name)) visit((other as Fielded).name.value);
    for (const { name: above } of (node as Fielded).interfaces ?? []) visit(above.value);
    for (const field of ((node as Fielded).fields ?? []) as readonly (FieldDefinitionNode | InputValueDefinitionNode)[]) {
      visit(namedTypeOf(field.type));
      for (const argument of ('arguments' in field && field.arguments) || []) visit(namedTypeOf(argument.type));
    }
  };
  for (const root of ROOTS) visit(root);
  return definitions.filter(
    (node) => node.kind === Kind.DIRECTIVE_DEFINITION || ('name' in node && node.name !== undefined && seen.has(node.name.value)),
  );
}

const implementsInterface = (node: DefinitionNode, name: string): boolean =>
  ((node as Partial<Fielded>).interfaces ?? []).some((above) => above.name.value === name);

const namedTypeOf = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type));
