import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#platform/clock.ts';
import type { EdgeStatus } from '../../../../edge/protocol/control-plane.ts';
import { type PlaceQuality, boundOf, newCounts } from '../../../../edge/protocol/place-quality.ts';
import { servedPlaces } from '../../../../subgraphs/residential/edges/domain/place-quality.ts';
import { saveEdgeStatus } from '../../../../subgraphs/residential/edges/entities/edge-desk.ts';
import { enrolEdge, revokeEdge } from '../../../../subgraphs/residential/edges/services/edges.ts';
import { anonymous, keyOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

/** So many connections, all of which were answered after 120 ms. */
const row = (country: string, opened: number, failed: number, more: Partial<PlaceQuality> = {}): PlaceQuality => ({
  product: 'PREMIUM',
  country,
  opened,
  failed,
  firstBytes: newCounts().map((_zero, index) => (index === boundOf(120) ? opened : 0)),
  ...more,
});
const at = (places: ReturnType<typeof servedPlaces>, country: string, state: string | null = null, city: string | null = null) =>
  places.find((place) => place.country === country && place.state === state && place.city === city);

test('a country has all its lines, a state and a city those that ask for them, and Europe and the world theirs', () => {
  const places = servedPlaces(
    [
      row('de', 60, 0, { state: 'bavaria', city: 'munich' }),
      row('de', 20, 20, { state: 'bavaria' }),
      row('de', 0, 100),
      row('us', 19, 1),
      row('fr', 19, 0),
      row('any', 0, 1),
      row('eu', 1, 0),
      row('de', 500, 500, { product: 'MOBILE' }),
    ],
    'PREMIUM',
  );
  expect(at(places, 'de')).toEqual({ country: 'de', state: null, city: null, successRate: 0.4, firstByteMs: 125, connections: 200 });
  expect(at(places, 'de', 'bavaria')).toMatchObject({ successRate: 0.8, connections: 100 });
  expect(at(places, 'de', null, 'munich')).toMatchObject({ successRate: 1, connections: 60 });
  expect(at(places, 'us')).toMatchObject({ successRate: 0.95, connections: 20 });
  expect(at(places, 'fr')).toBeUndefined();
  expect(at(places, 'eu')).toMatchObject({ connections: 220 });
  expect(at(places, 'any')).toMatchObject({ connections: 241 });
  expect(places).toHaveLength(6);
});

test('a place whose targets never answered has no first byte', () => {
  expect(servedPlaces([row('de', 20, 0, { firstBytes: newCounts() })], 'PREMIUM')[0]).toMatchObject({ successRate: 1, firstByteMs: null });
});

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

test('a product says how its places were served, of nodes that work and have just reported', async () => {
  const report = async (id: string, qualities: PlaceQuality[] | undefined) => {
    await enrolEdge(world.context(), id);
    await saveEdgeStatus(world.context().em, id, { qualities, exits: [] } as unknown as EdgeStatus, world.clock.now());
  };
  await report('silent', [row('de', 1_000, 1_000)]);
  world.clock.advance(MINUTE + SECOND);
  await report('one', [row('de', 30, 0)]);
  await report('two', [row('de', 30, 20)]);
  await report('former', undefined);
  await report('revoked', [row('de', 1_000, 1_000)]);
  await revokeEdge(world.context(), 'revoked');
  const ASK = `{ residentialPlans { product { placeQualities { country state city successRate firstByteMs connections } } } }`;
  await world.plan('acct_1');
  const { residentialPlans } = await world.must<{ residentialPlans: { product: { placeQualities: { country: string }[] } }[] }>(
    keyOf('acct_1'),
    ASK,
  );
  const { placeQualities } = residentialPlans[0]?.product ?? { placeQualities: [] };
  expect(placeQualities.map(({ country }) => country).toSorted()).toEqual(['any', 'de', 'eu']);
  expect(placeQualities.find(({ country }) => country === 'de')).toEqual({
    country: 'de',
    state: null,
    city: null,
    successRate: 0.75,
    firstByteMs: 125,
    connections: 80,
  });
  const PUBLIC = '{ residentialProducts { code placeQualities { country } } }';
  expect(new Set(codesOf(await world.ask(anonymous, PUBLIC)))).toEqual(new Set(['session_invalid']));
});
