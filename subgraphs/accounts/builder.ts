import { createBuilder } from '#platform/schema-builder.ts';
import type { Context } from './providers.ts';

export const builder = createBuilder<Context>();
