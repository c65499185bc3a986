// A name server with the reverse zones of the sandbox's addresses, with the HTTP API of PowerDNS Authoritative Server.
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Context } from 'hono';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { page, pageHeaders, table, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';
import { openSnapshot } from '../snapshot.ts';
import { withhold } from '../withhold.ts';

/**
 * - `hang`: no effect and no answer.
 * - `error`: no effect, the answer is 500.
 * - `no_answer`: the effect happens, but no answer comes.
 */
export type NameFault = 'hang' | 'error' | 'no_answer';

export interface SandboxNameServer {
  readonly url: string;
  /** For the next changes of zones; used up one by one. */
  readonly faults: NameFault[];
  /** The name that `dig -x` would return. */
  reverse(ip: string): string | undefined;
  close(): Promise<void>;
}

interface RecordSet {
  name: string;
  type: string;
  ttl: number;
  records: { content: string; disabled: boolean }[];
}
interface NameState {
  /** From zone and name to the PTR records. */
  zones: Record<string, Record<string, RecordSet>>;
}

const ZONES = ['80.127.in-addr.arpa.', '81.127.in-addr.arpa.', '82.127.in-addr.arpa.'];

export async function startNameServer(options: {
  host: string;
  port: number;
  dataDir: string | undefined;
  apiKey: string;
  vendors: () => VendorUrls;
}): Promise<SandboxNameServer> {
  const fresh: NameState = { zones: Object.fromEntries(ZONES.map((zone) => [zone, {}])) };
  const { state, changed, flush } = await openSnapshot(options.dataDir, 'names', fresh);
  const faults: NameFault[] = [];
  const app = new Hono<NodeBindings>();
  const sets = () => Object.values(state.zones).flatMap((zone) => Object.values(zone));
  app.use('/api/*', async (c, next) => (c.req.header('x-api-key') === options.apiKey ? next() : c.text('Unauthorized', 401)));
  app.get('/api/v1/servers/localhost/zones', (c) =>
    c.json(Object.keys(state.zones).map((name) => ({ id: name, name, kind: 'Native', url: `/api/v1/servers/localhost/zones/${name}` }))),
  );
  app.get('/api/v1/servers/localhost/zones/:zone', (c) => {
    const zone = state.zones[c.req.param('zone')];
    if (!zone) return c.json({ error: 'Not Found' }, 404);
    const name = c.req.query('rrset_name');
    return c.json({ id: c.req.param('zone'), rrsets: Object.values(zone).filter((set) => name === undefined || set.name === name) });
  });
  app.patch('/api/v1/servers/localhost/zones/:zone', async (c) => {
    const fault = faults.shift();
    if (fault === 'hang') return withhold(c, 'no_answer');
    if (fault === 'error') return c.json({ error: 'Internal Server Error' }, 500);
    const refusal = change(state, c.req.param('zone'), (await c.req.json()) as Patch);
    if (refusal) return refusal(c);
    changed();
    return fault === 'no_answer' ? withhold(c, 'no_answer') : c.body(null, 204);
  });
  app.get('/', (c) => {
    const rows = sets().map(({ name, records }) => [name, records.map(({ content }) => content).join(', ')]);
    const body = html`${table({ columns: ['Name', 'Points to'], rows })} ${vendorLinks(options.vendors())}`;
    return c.html(page({ vendor: 'Sandbox name server', title: 'Reverse names', body }), 200, pageHeaders);
  });
  const listener = await listen(app, options.host, options.port);
  return {
    url: listener.url,
    faults,
    reverse: (ip) =>
      sets()
        .find(({ name }) => name === `${ip.split('.').reverse().join('.')}.in-addr.arpa.`)
        ?.records[0]?.content.replace(/\.$/, ''),
    async close() {
      await listener.close();
      await flush();
    },
  };
}

interface Patch {
  rrsets: (RecordSet & { changetype: 'REPLACE' | 'DELETE' })[];
}

function change({ zones }: NameState, id: string, { rrsets }: Patch): ((c: Context) => Response) | undefined {
  const zone = zones[id];
  if (!zone) return (c) => c.json({ error: 'Not Found' }, 404);
  const invalid = (reason: string) => (c: Context) => c.json({ error: reason }, 422);
  for (const { name, type, changetype, records, ttl } of rrsets) {
    if (!name.endsWith(`.${id}`)) return invalid(`RRset ${name} IN ${type}: Name is out of zone`);
    if (type !== 'PTR') return invalid(`RRset ${name} IN ${type}: unknown type given`);
    if (changetype === 'DELETE') continue;
    if (changetype !== 'REPLACE') return invalid('Changetype not understood');
    if (!Number.isInteger(ttl)) return invalid("Key 'ttl' not an Integer or not present");
    if (records.some(({ content }) => !content.endsWith('.'))) return invalid(`Record ${name}/PTR: Not in expected format (parsed as '.')`);
  }
  for (const { name, type, changetype, records, ttl } of rrsets) {
    if (changetype === 'DELETE') delete zone[name];
    else zone[name] = { name, type, ttl, records };
  }
  return undefined;
}
