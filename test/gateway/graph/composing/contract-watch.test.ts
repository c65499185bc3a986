// Subgraphs in other processes change their contracts while requests are answered and subscriptions are open.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askerOf } from '#platform/ask.ts';
import { type ContractWatch, watchContracts } from '../../../../gateway/graph/composing/contract-watch.ts';
import type { ResultStream } from '../../../../gateway/graph/sources/source.ts';
import { compose } from '../../../../schema/composition.ts';
import { type Site, startSite } from '../../site.ts';
import { SDL, SUPERGRAPH, subgraphsOf } from '../../small-subgraphs.ts';
import { anonymous, ask, customer, recordingLog, until } from '../../world.ts';

const { log, lines } = recordingLog();
let site: Site;
let watch: ContractWatch;
beforeEach(async () => {
  lines.length = 0;
  site = await startSite({ mode: 'over HTTP', log });
  watch = watchContracts({
    everyMs: 3_600_000,
    contracts: SDL,
    asks: Object.fromEntries(Object.entries(site.sources).map(([name, source]) => [name, askerOf(source)])),
    gateway: site.gateway,
    judgedBy: { published: SUPERGRAPH, documents: [], folder: undefined },
    clock: site.clock,
    log,
    metrics: site.metrics,
  });
});
afterEach(async () => {
  await watch.close();
  await site.close();
});

/** From now on a subgraph answers by this contract. */
function change(name: keyof typeof SDL, from: string, to: string): void {
  const contracts = { ...SDL, [name]: SDL[name].replace(from, to) };
  const changed = subgraphsOf(site.world, contracts).find((one) => one.name === name);
  const running = site.subgraphs.find((one) => one.name === name);
  if (changed && running) running.schema = changed.schema;
}
const looks = async (times: number) => {
  for (let look = 0; look < times; look++) await watch.look();
};
const newField = () => change('meter', 'meterReady: Boolean!', 'meterReady: Boolean! meterName: String');
const askNew = async () => (await site.graphql('{ meterName }')).json() as Promise<{ data?: object; errors?: { message: string }[] }>;
const refusals = async () => (await site.metrics.graphRefused.get()).values[0]?.value;

describe('a subgraph that gets a field', () => {
  test('while requests come: none fails, and the field is answered afterwards', async () => {
    const failed: unknown[] = [];
    let [answered, isOver] = [0, false];
    const loop = async () => {
      while (!isOver) {
        const response = await site.graphql('{ plans { id used owner { email } } meterReady }');
        const body = (await response.json()) as { errors?: unknown };
        if (response.status !== 200 || body.errors !== undefined) failed.push(body);
        answered++;
      }
    };
    const loops = Array.from({ length: 6 }, loop);
    await until(() => answered > 20);
    expect((await askNew()).errors?.[0]?.message).toContain('meterName');
    newField();
    await looks(2);
    const before = answered;
    expect(await askNew()).toEqual({ data: { meterName: null } });
    await until(() => answered > before + 20);
    isOver = true;
    await Promise.all(loops);
    expect(failed).toEqual([]);
    expect(watch.isRefused).toBe(false);
    expect(await site.metrics.graphChanges.get()).toMatchObject({ values: [{ value: 1, labels: { outcome: 'taken' } }] });
  });

  test('counts once two looks in a row have seen it', async () => {
    newField();
    await looks(1);
    expect((await askNew()).errors).toHaveLength(1);
    await looks(1);
    expect((await askNew()).errors).toBeUndefined();
  });

  test('is in the schema that is shown, and in what is told of changes', async () => {
    newField();
    await looks(2);
    expect(await (await fetch(`${site.url}/graphql/schema.graphql`)).text()).toContain('meterName: String');
    expect(await (await fetch(`${site.url}/graphql/schema/changes`)).json()).toMatchObject({
      unpublished: [{ kind: 'ADDED', description: 'Query.meterName was added.' }],
    });
  });
});

describe('a contract that must not be', () => {
  test('keeps the graph, is told once with its reason, and is over when the subgraph has its contract back', async () => {
    change('meter', 'type Query { ', 'type Query { plans: Int ');
    await looks(4);
    expect((await site.graphql('{ plans { id used } }')).status).toBe(200);
    expect(watch.isRefused).toBe(true);
    expect(await refusals()).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.fields).toMatchObject({
      subgraphs: ['meter'],
      reasons: expect.arrayContaining([expect.stringContaining('"Query.plans" is incompatible')]),
    });
    change('meter', '', '');
    await looks(1);
    expect(watch.isRefused).toBe(false);
    expect(await refusals()).toBe(0);
  });

  test('of one subgraph does not last: the next change of it is taken', async () => {
    change('plans', 'title: String!', 'title: String');
    await looks(2);
    expect(lines[0]?.fields['reasons']).toEqual(['It breaks what was published: Bundle.title changed type from String! to String.']);
    change('plans', 'title: String!', 'title: String! subtitle: String');
    await looks(2);
    expect(watch.isRefused).toBe(false);
    expect(await ask(site.gateway, '{ nodes { ... on Bundle { subtitle } } }')).toMatchObject({ data: { nodes: expect.any(Array) } });
  });
});

test('a subgraph that is away has the contract that it had', async () => {
  newField();
  const asked = site.sources['meter']?.execute;
  if (asked && site.sources['meter']) site.sources['meter'].execute = () => Promise.reject(new Error('away'));
  await looks(3);
  expect(watch.isRefused).toBe(false);
  expect((await askNew()).errors).toHaveLength(1);
});

describe('when the graph is replaced,', () => {
  const replaced = (from: string, to: string) => site.gateway.replace(compose({ ...SDL, meter: SDL.meter.replace(from, to) }));

  async function subscribe(query: string): Promise<ResultStream> {
    const stream = await site.gateway.subscribe(site.gateway.prepare(query), { viewer: customer('a') });
    if (!(Symbol.asyncIterator in stream)) throw new Error(JSON.stringify(stream.errors));
    await until(() => site.world.openSubscriptions.size > 0);
    return stream;
  }
  const used = (id: string) => ({ data: { planChanged: { id, used: Number(id) * 100 } } });

  test('a subscription whose subgraph is asked for the same goes on, and others join it', async () => {
    const stream = await subscribe('subscription { planChanged { id used } }');
    await replaced('meterReady: Boolean!', 'meterReady: Boolean! meterName: String');
    site.world.publish('2');
    expect((await stream.next()).value).toEqual(used('2'));
    expect(site.world.openSubscriptions.size).toBe(1);
    await stream.return?.();
    await until(() => site.world.openSubscriptions.size === 0);
  });

  test('one for which it has to be asked for more ends, with a code that says to open it again', async () => {
    const stream = await subscribe('subscription { planChanged { id used } }');
    site.world.publish('1');
    expect((await stream.next()).value).toEqual(used('1'));
    await replaced('used: Int cost', 'used: Int @requires(fields: "weight") cost');
    const { value } = (await stream.next()) as { value: { errors: { extensions: object }[] } };
    expect(value.errors[0]?.extensions).toMatchObject({ code: 'graph_changed', retryable: true });
    expect((await stream.next()).done).toBe(true);
    await until(() => site.world.openSubscriptions.size === 0);
    const again = await subscribe('subscription { planChanged { id used } }');
    site.world.publish('2');
    expect((await again.next()).value).toEqual(used('2'));
  });

  test('what runs ends on the graph on which it began, and what is in use is planned already', async () => {
    const own = site.gateway.prepare('{ plan(id: "1") { name } }');
    const asked = await site.gateway.prepareFor(customer('a'), '{ meterReady }');
    const strange = await site.gateway.prepareFor(anonymous, '{ strange: meterReady }');
    await replaced('meterReady: Boolean!', 'meterReady: Boolean! meterName: String');
    expect((await site.gateway.execute(strange, { viewer: anonymous })).data).toEqual({ strange: true });
    expect((await site.gateway.execute(own, { viewer: anonymous })).data).toEqual({ plan: { name: 'Plan 1' } });
    const next = await site.gateway.prepareFor(customer('a'), '{ meterReady }');
    expect(next).not.toBe(asked);
    expect(next.graph.sdl).toContain('meterName');
  });

  test('a graph that does not answer a document of our own is none', async () => {
    site.gateway.prepare('{ meterReady }');
    await expect(replaced('meterReady: Boolean!', 'meterName: String')).rejects.toThrow('meterReady');
    expect((await ask(site.gateway, '{ meterReady }')).data).toEqual({ meterReady: true });
  });
});
