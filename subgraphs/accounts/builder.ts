import { createBuilder } from '#shared/schema-builder.ts';
import type { Context } from './providers.ts';

export const builder = createBuilder<Context>();
