// The Pothos builder of compute, and what its use cases are given.
import type { Context } from '#shared/context.ts';
import { createBuilder } from '#shared/schema-builder.ts';
import type { ComputeProviders } from './providers.ts';

export type ComputeContext = Context<ComputeProviders>;

export const builder = createBuilder<ComputeContext>();

builder.queryType();
builder.mutationType();
builder.subscriptionType();
