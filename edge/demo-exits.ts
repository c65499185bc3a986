// Exits for the demo: loopback addresses that stand for places, so that every line that can be generated has an exit.
import { citiesOf } from './protocol/cities.ts';
import { POOLS } from './protocol/pools.ts';
import { PRODUCT_CODES } from './protocol/product.ts';
import { statesOf } from './protocol/states.ts';
import type { ExitDefinition } from './exit.ts';

/** Only Linux accepts connections on all of 127.0.0.0/8 without configuration. */
const everyAddress = process.platform === 'linux';

/** Two exits per country, one per state, and one per city of the catalogue. */
export function demoExits(): ExitDefinition[] {
  let count = 0;
  const exit = (id: string, place: { country: string; state?: string; city?: string }): ExitDefinition => {
    count++;
    const address = everyAddress ? `127.77.${count >> 8}.${count & 255}` : '127.0.0.1';
    return { id, kind: 'local', address, products: PRODUCT_CODES, ...place };
  };
  return POOLS.filter(({ kind }) => kind === 'COUNTRY').flatMap(({ code: country }) => {
    const states = new Map(statesOf(country).map(({ iso, code }) => [iso, code]));
    const inStates = [...states.values()].map((state) => exit(`${country}-${state}-1`, { country, state }));
    const cities = citiesOf(country).map((city) => {
      const state = states.get(city.state);
      return exit(`${country}-${city.code}`, { country, city: city.code, ...(state !== undefined && { state }) });
    });
    return [exit(`${country}-1`, { country }), exit(`${country}-2`, { country }), ...inStates, ...cities];
  });
}
