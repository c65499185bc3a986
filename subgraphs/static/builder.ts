// The Pothos builder of static, and what its use cases are given.
import type { Context } from '#shared/context.ts';
import { createBuilder } from '#shared/schema-builder.ts';

export interface StaticProviders {
  /** Seals proxy passwords. */
  sealing: Buffer;
  /** How long an address rests between two customers. */
  restMs: number;
}

export type StaticContext = Context<StaticProviders>;

export const builder = createBuilder<StaticContext>();

builder.queryType();
