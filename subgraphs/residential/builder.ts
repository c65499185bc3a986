// The Pothos builder of residential.
import { addDataScalars, createBuilder } from '#platform/schema-builder.ts';
import type { Context } from './providers.ts';

export const builder = createBuilder<Context>();
addDataScalars(builder);
builder.queryType();
builder.mutationType();
builder.subscriptionType();
