import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { SYSTEMS } from './act-on-server.ts';

interface Result {
  vpsLocations: { name: string; plans: string[] }[];
}

/** Not in the Spec. Tells before an offer is asked for where a VPS can be, and what there is room for. */
export const listVpsLocations = defineEndpoint({
  path: '/v1/offers/vps/locations',
  tool: 'list_vps_locations',
  title: 'List locations of VPS',
  description: 'Where a new VPS can be ordered, as `location` of get_vps_offer takes it, and the plans that there is room for now.',
  message: 'Locations listed.',
  scope: 'plans',
  input: z.object({
    os: z.enum(SYSTEMS).describe('Only where there is room for a VPS with this system.').optional(),
    extra_ipv4: z.int().min(0).max(64).default(0).describe('Only where there are so many addresses beside its own.'),
  }),
  restNames: {},
  refusals: {},
  codes: [],
  output: z.object({
    locations: z.array(
      z.object({
        name: z.string(),
        plans: z.array(z.string()).describe('What can be ordered there now, the smallest first; for example plank.'),
      }),
    ),
  }),
  named: { locations: 'VpsLocation' },
  readOnly: true,
  operation: /* GraphQL */ `
    query ListVpsLocations($os: OperatingSystem, $extraIpv4: Int) {
      vpsLocations(os: $os, extraIpv4: $extraIpv4) {
        name
        plans
      }
    }
  `,
  variables: ({ os, extra_ipv4: extraIpv4 }) => ({ os: os?.toUpperCase(), extraIpv4 }),
  data: ({ vpsLocations }: Result) => ({
    locations: vpsLocations.map(({ name, plans }) => ({ name, plans: plans.map((plan) => plan.toLowerCase()) })),
  }),
  example: {
    input: { os: 'debian_13' },
    data: {
      locations: [
        { name: 'Frankfurt', plans: ['plank', 'broglie', 'einstein'] },
        { name: 'Vienna', plans: ['plank'] },
      ],
    },
  },
});
