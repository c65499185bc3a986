// The queries of public pages. The gateway runs them when it draws the pages and sends the answers along, so that prices and limits are there at the first paint.
import { ChatPlatform } from './access.ts';
import { ServerPlans } from './compute.ts';
import { ResidentialProducts } from './residential-product.ts';
import { AccountRules } from './rules.ts';
import { StaticProducts } from './static-offer.ts';

export const PUBLIC_QUERIES = { AccountRules, ChatPlatform, ResidentialProducts, ServerPlans, StaticProducts } as const;
