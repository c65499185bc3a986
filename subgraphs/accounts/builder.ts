import { addDayScalar, createBuilder } from '#platform/schema-builder.ts';
import type { Context } from './context.ts';

export const builder = createBuilder<Context>();
addDayScalar(builder);
