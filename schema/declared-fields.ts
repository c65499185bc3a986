// The fields that a contract or the supergraph declares, with the directives that say more of each.
import { type ConstDirectiveNode, Kind, parse } from 'graphql';

export interface DeclaredField {
  /** `Type.field` */
  id: string;
  directives?: readonly ConstDirectiveNode[] | undefined;
}

/** Every field of every object and interface. */
export function* declaredFields(sdl: string): Generator<DeclaredField> {
  for (const type of parse(sdl, { noLocation: true }).definitions)
    if (
      type.kind === Kind.OBJECT_TYPE_DEFINITION ||
      type.kind === Kind.OBJECT_TYPE_EXTENSION ||
      type.kind === Kind.INTERFACE_TYPE_DEFINITION
    )
      for (const { name, directives } of type.fields ?? []) yield { id: `${type.name.value}.${name.value}`, directives };
}

/** The directive of this name on a field; undefined: there is none. */
export const directiveOf = ({ directives }: Pick<DeclaredField, 'directives'>, name: string): ConstDirectiveNode | undefined =>
  directives?.find((directive) => directive.name.value === name);
