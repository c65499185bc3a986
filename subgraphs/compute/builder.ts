// The Pothos builder of compute, and what its use cases are given.
import type { Context } from '#platform/context.ts';
import { createBuilder } from '#platform/schema-builder.ts';
import type { ComputeProviders } from './providers.ts';

export type ComputeContext = Context<ComputeProviders>;

/** Who may read and run a server: its owner in a session, or a key of theirs with the scope for it. Buying takes a session. */
export const SERVER_ACCESS = { account: 'servers' } as const;
/** Who may see a password, or open a console: whoever is there in person. A key lies in scripts and logs. */
export const SESSION_ALONE = { session: true } as const;

export const builder = createBuilder<ComputeContext>();

builder.queryType();
builder.mutationType();
builder.subscriptionType();
