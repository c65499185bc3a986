import { declareMoney } from '#commerce/offer-types.ts';
import { builder } from '../../builder.ts';

export const Money = declareMoney(builder);
