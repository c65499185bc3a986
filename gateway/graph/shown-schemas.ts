// What each kind of reader sees of one graph's schema, as text and to ask about it; made when it is asked for first.
import { GraphQLError, type GraphQLSchema, buildASTSchema } from 'graphql';
import type { Viewer } from '#platform/identity.ts';
import { QueryRefused } from './planning/query-refused.ts';
import { type Tier, publicDocument, publicSdl } from '../../schema/public-sdl.ts';

/** What a caller sees of the schema. */
export const tierOf = (viewer: Viewer): Tier => {
  if (viewer.kind === 'key') return 'partner';
  return viewer.kind === 'system' || (viewer.kind === 'session' && viewer.staff && !viewer.impersonation) ? 'staff' : 'customer';
};

/** How graphql-js ends the messages of its validation. */
const SUGGESTION = / Did you mean .*\?$/;

export class ShownSchemas {
  readonly #supergraphSdl: string;
  readonly #texts = new Map<Tier, string>();
  readonly #words = new Map<Tier, ReadonlySet<string>>();
  readonly #schemas = new Map<Tier, GraphQLSchema>();

  constructor(supergraphSdl: string) {
    this.#supergraphSdl = supergraphSdl;
  }

  text(tier: Tier): string {
    const text = this.#texts.get(tier) ?? publicSdl(this.#supergraphSdl, tier);
    this.#texts.set(tier, text);
    return text;
  }

  /** The refusal of a document without suggestions that name what these readers do not see. */
  withoutHidden(refused: QueryRefused, tier: Tier): QueryRefused {
    if (tier === 'staff' || !refused.errors.some(({ message }) => SUGGESTION.test(message))) return refused;
    const shown = this.#wordsOf(tier);
    const errors = refused.errors.map((error) => {
      const [suggested = ''] = SUGGESTION.exec(error.message) ?? [];
      const names = [...suggested.matchAll(/"(\w+)"/g)].map(([, name = '']) => name);
      if (names.every((name) => shown.has(name))) return error;
      return new GraphQLError(error.message.replace(SUGGESTION, ''), {
        nodes: error.nodes,
        source: error.source,
        positions: error.positions,
      });
    });
    return new QueryRefused(errors, refused.code);
  }

  #wordsOf(tier: Tier): ReadonlySet<string> {
    const words = this.#words.get(tier) ?? new Set(this.text(tier).match(/\w+/g));
    this.#words.set(tier, words);
    return words;
  }

  schema(tier: Tier): GraphQLSchema {
    const schema = this.#schemas.get(tier) ?? buildASTSchema(publicDocument(this.#supergraphSdl, tier));
    this.#schemas.set(tier, schema);
    return schema;
  }
}
