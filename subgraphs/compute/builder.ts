// The Pothos builder of compute.
import type { Context } from '#platform/context.ts';
import { createBuilder } from '#platform/schema-builder.ts';

/** Who may read and run a server: its owner in a session, or a key of theirs with the scope for it. Buying takes a session. */
export const SERVER_ACCESS = { account: 'servers' } as const;
/** Who may see a password, or open a console: whoever is there in person. A key lies in scripts and logs. */
export const SESSION_ALONE = { session: true } as const;

/** What resolvers are given: that it is what all nouns need together is declared in `providers.ts`, so that the builder, which they know, knows none of them. */
export interface ResolverProviders {}

export const builder = createBuilder<Context<ResolverProviders>>();

builder.queryType();
builder.mutationType();
builder.subscriptionType();
