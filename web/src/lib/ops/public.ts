// What public pages show of the graph: asked by the gateway when it draws them, and handed along, so that prices stand in the first paint.
import { ServerPlans } from './compute.ts';
import { ResidentialProducts } from './residential-product.ts';
import { StaticProducts } from './static-offer.ts';

export const PUBLIC_QUERIES = { ResidentialProducts, ServerPlans, StaticProducts } as const;
