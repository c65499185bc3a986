// The Pothos builder of compute, and what its use cases are given.
import type { Context } from '#shared/context.ts';
import { createBuilder } from '#shared/schema-builder.ts';

export type ComputeContext = Context<null>;

export const builder = createBuilder<ComputeContext>();

builder.queryType();
