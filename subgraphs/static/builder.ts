// The Pothos builder of static.
import { createBuilder } from '#platform/schema-builder.ts';
import type { StaticContext } from './providers.ts';

export const builder = createBuilder<StaticContext>();

builder.queryType();
builder.mutationType();
builder.subscriptionType();
