// What public pages show of the graph: asked by the gateway when it draws them, and handed along, so that prices, and the numbers of rules, stand in the first paint.
import { ServerPlans } from './compute.ts';
import { ResidentialProducts } from './residential-product.ts';
import { AccountRules } from './rules.ts';
import { StaticProducts } from './static-offer.ts';

export const PUBLIC_QUERIES = { AccountRules, ResidentialProducts, ServerPlans, StaticProducts } as const;
