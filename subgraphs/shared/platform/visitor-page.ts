// What a page tells its visitor of the address that it sees, and where that is: such pages are asked through a proxy line.
import { isIP } from 'node:net';

export interface Visitor {
  address: string;
  /** Lower-case ISO 3166. */
  country?: string;
  state?: string;
  city?: string;
  asn?: number;
  /** Who holds the network. */
  carrier?: string;
}

/**
 * Takes JSON of our own page, with members as above; JSON as https://ipinfo.io/developers/responses gives it (`ip`, `region`, `org: "AS15169 Google LLC"`);
 * or any text with an address in it. Undefined: there is no address.
 */
export function readVisitor(text: string): Visitor | undefined {
  const told = membersOf(text);
  const address = [told['address'], told['ip']].find((value) => typeof value === 'string' && isIP(value) > 0) ?? addressIn(text);
  if (typeof address !== 'string') return undefined;
  const word = (...names: string[]) =>
    names.map((name) => told[name]).find((value): value is string => typeof value === 'string' && value !== '' && value.length <= MAX_WORD);
  const country = word('country')?.toLowerCase();
  const state = word('state', 'region');
  const city = word('city');
  const network = /^(?:AS(\d{1,10}) ?)?(.*)$/.exec(word('carrier', 'org') ?? '');
  const asn = Number(network?.[1] ?? told['asn'] ?? Number.NaN);
  return {
    address,
    ...(country !== undefined && /^[a-z]{2}$/.test(country) && { country }),
    ...(state !== undefined && { state }),
    ...(city !== undefined && { city }),
    ...(Number.isSafeInteger(asn) && asn > 0 && { asn }),
    ...(network?.[2] && { carrier: network[2] }),
  };
}

/** Longer than the name of any place or network. */
const MAX_WORD = 200;

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The first IP address in a text. */
const addressIn = (text: string): string | undefined =>
  text
    .match(/[\da-fA-F.:]{3,45}/g)
    ?.map((word) => word.replace(/[.:]$/, ''))
    .find((word) => isIP(word) > 0);
