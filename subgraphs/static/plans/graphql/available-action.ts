import { declareAvailableAction } from '#platform/available-action.ts';
import { builder } from '../../builder.ts';

export const AvailableAction = declareAvailableAction(builder);
