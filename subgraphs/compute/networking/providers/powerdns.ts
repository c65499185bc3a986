// The reverse zones at a PowerDNS Authoritative Server, by its HTTP API with an API key.
import { Agent, request } from 'undici';
import type { NameServerTerms } from '../configuration.ts';
import { type ReverseDns, ReverseDnsTrouble } from './reverse-dns.ts';

const TIMEOUT_MS = 10_000;
/** An hour: owners seldom change names, and want to see the change soon. */
const TTL_SECONDS = 3_600;

interface Zone {
  id: string;
  name: string;
}

/** The name of an address's PTR record. */
const pointerOf = (ip: string): string => `${ip.split('.').reverse().join('.')}.in-addr.arpa.`;

export function createPowerDns(terms: NameServerTerms): { reverseDns: ReverseDns; close(): Promise<void> } {
  const agent = new Agent({ connections: 4, ...(terms.authorities !== undefined && { connect: { ca: terms.authorities } }) });

  async function call<Data>(method: 'GET' | 'PATCH', path: string, body?: object): Promise<Data> {
    const what = `${method} ${path}`;
    try {
      const response = await request(`${terms.url}/api/v1/servers/${encodeURIComponent(terms.serverId)}${path}`, {
        method,
        dispatcher: agent,
        headers: { 'x-api-key': terms.apiKey, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(terms.timeoutMs ?? TIMEOUT_MS),
      });
      const text = await response.body.text();
      if (response.statusCode === 200 || response.statusCode === 204) return (text === '' ? {} : JSON.parse(text)) as Data;
      throw new ReverseDnsTrouble(`${what}: ${response.statusCode} ${text.slice(0, 300)}`);
    } catch (error) {
      if (error instanceof ReverseDnsTrouble) throw error;
      throw new ReverseDnsTrouble(`${what}: ${String(error)}`, { cause: error });
    }
  }

  const allZones = () => call<Zone[]>('GET', '/zones');

  /** The most specific zone that contains the name. */
  async function zoneOf(name: string): Promise<string> {
    const zones = await allZones();
    const fitting = zones.filter((zone) => name.endsWith(`.${zone.name}`)).toSorted((one, other) => other.name.length - one.name.length);
    if (!fitting[0]) throw new ReverseDnsTrouble(`no zone has ${name}`);
    return fitting[0].id;
  }

  return {
    reverseDns: {
      async set(ip, name) {
        const pointer = pointerOf(ip);
        const set = { name: pointer, type: 'PTR' };
        await call('PATCH', `/zones/${encodeURIComponent(await zoneOf(pointer))}`, {
          rrsets: [
            name === null
              ? { ...set, changetype: 'DELETE' }
              : { ...set, changetype: 'REPLACE', ttl: TTL_SECONDS, records: [{ content: `${name}.`, disabled: false }] },
          ],
        });
      },
      async check(ips) {
        const zones = await allZones();
        const missing = ips.filter((ip) => !zones.some(({ name }) => pointerOf(ip).endsWith(`.${name}`)));
        const key = { what: 'key', ok: true, words: `accepted by ${terms.url}` };
        const words = missing.length === 0 ? `${zones.length}` : `none has ${missing.join(', ')}`;
        return [key, { what: 'zones', ok: missing.length === 0, words }];
      },
    },
    close: () => agent.close(),
  };
}
