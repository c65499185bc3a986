import { expect, test } from 'vitest';
import { exitsByPlace } from '../../../../subgraphs/residential/edges/domain/exits-by-place.ts';

const exit = (country: string, more: object = {}) => ({
  id: 'x',
  kind: 'local',
  country,
  products: [],
  healthy: true,
  connections: 0,
  opened: 10,
  faults: 1,
  ...more,
});

test('exits of a place and provider are summed over all nodes that are not revoked', () => {
  const nodes = [
    { revokedAt: null, status: { exits: [exit('de', { carrier: 'Northline' }), exit('us')] } },
    { revokedAt: null, status: { exits: [exit('de', { carrier: 'Northline', healthy: false, faults: 5 })] } },
    { revokedAt: new Date(0), status: { exits: [exit('us')] } },
    { revokedAt: null, status: null },
  ];
  expect(exitsByPlace(nodes)).toEqual([
    { country: 'de', carrier: 'Northline', opened: 20, faults: 6, out: 1 },
    { country: 'us', carrier: 'none', opened: 10, faults: 1, out: 0 },
  ]);
});
