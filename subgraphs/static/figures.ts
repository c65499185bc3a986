// Figures for Prometheus: addresses by state, and how many fail.
import type { RoomFigures } from '#platform/subgraph.ts';
import { countHttpsProblems } from './health/entities/health.ts';
import { countOutages } from './health/entities/outage.ts';
import { countsByProduct } from './inventory/entities/inventory.ts';

const STATES = ['free', 'held', 'sold', 'resting', 'reserved', 'retired'] as const;

const addresses: RoomFigures = {
  gauges: {
    egress_static_addresses: [`Addresses by product and state: ${STATES.join(', ')}`, 'product', 'state'],
    egress_static_addresses_failing: ['Addresses that fail their checks'],
    egress_static_https_failing: ['Addresses that work, but not as HTTPS proxies'],
  },
  read: async ({ em, now }) => [
    ...(await countsByProduct(em, now)).flatMap(({ productId, ...counts }) =>
      STATES.map((state) => ({ gauge: 'egress_static_addresses', labels: { product: productId, state }, value: counts[state] })),
    ),
    { gauge: 'egress_static_addresses_failing', value: await countOutages(em) },
    { gauge: 'egress_static_https_failing', value: await countHttpsProblems(em) },
  ],
};

export const figures = [addresses];
