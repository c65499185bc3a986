// The Pothos builder of compute.
import type { Context } from '#platform/context.ts';
import { createBuilder } from '#platform/schema-builder.ts';

/** Who may read and operate a server: its owner in a session, or with an API key that has the scope. */
export const SERVER_ACCESS = { account: 'servers' } as const;
/** Who may see a server: also members of a team who may not operate one. */
export const SERVER_SIGHT = { key: 'servers', session: 'read' } as const;
/** Who may see a password or open a console: the owner in a session only, since API keys are stored in scripts and logs. */
export const SESSION_ALONE = { session: 'servers' } as const;

/** The providers that resolvers are given. `providers.ts` extends this interface with the providers of all nouns, so that the builder, which all nouns import, imports none of them. */
export interface ResolverProviders {}

export const builder = createBuilder<Context<ResolverProviders>>();

builder.queryType();
builder.mutationType();
builder.subscriptionType();
