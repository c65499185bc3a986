import { declareMoney } from '#shared/offer-types.ts';
import { builder } from '../builder.ts';

export const Money = declareMoney(builder);
