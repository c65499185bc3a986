// The Pothos builder of static.
import type { Context } from '#platform/context.ts';
import { createBuilder } from '#platform/schema-builder.ts';
/** What resolvers are given: that it is what all nouns need together is declared in `providers.ts`, so that the builder, which they know, knows none of them. */
export interface ResolverProviders {}

export const builder = createBuilder<Context<ResolverProviders>>();

builder.queryType();
builder.mutationType();
builder.subscriptionType();
