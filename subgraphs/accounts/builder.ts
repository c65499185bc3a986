// The Pothos builder of accounts.
import type { Context } from '#platform/context.ts';
import { addDayScalar, createBuilder } from '#platform/schema-builder.ts';

/** What resolvers are given: that it is what all nouns need together is declared in `context.ts`, so that the builder, which they know, knows none of them. */
export interface ResolverProviders {}

export const builder = createBuilder<Context<ResolverProviders>>();
addDayScalar(builder);
