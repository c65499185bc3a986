// The Pothos builder of accounts.
import type { Context } from '#platform/context.ts';
import { addDataScalars, createBuilder } from '#platform/schema-builder.ts';

/**
 * The providers that resolvers are given. `context.ts` extends this interface with the providers of all nouns, so that the builder, which all nouns import,
 * imports none of them.
 */
export interface ResolverProviders {}

export const builder = createBuilder<Context<ResolverProviders>>();
addDataScalars(builder);
