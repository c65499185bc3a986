import { declareAvailableAction } from '#shared/available-action.ts';
import { builder } from '../builder.ts';

export const AvailableAction = declareAvailableAction(builder);
