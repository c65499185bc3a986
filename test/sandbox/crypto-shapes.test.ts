// Compares the crypto processor's answers with the vendor's OpenAPI description. The description is not part of the project; without it the comparison is
// skipped.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cryptoClient, STORE } from './crypto-world.ts';
import type { CryptoClient } from './crypto-world.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

const FOLDER = join(import.meta.dirname, '../../../shared/vendor/btcpay');
const present = existsSync(FOLDER);
if (!present) process.stderr.write(`The crypto processor's shapes are not compared: ${FOLDER} is absent.\n`);

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  type?: string;
  enum?: unknown[];
  format?: string;
  nullable?: boolean;
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
}
interface Description {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, Schema> };
  'x-webhooks'?: Record<string, unknown>;
}

const read = (name: string): Description => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Description;

/** Schemas from other files of the description: text, or a number of seconds. */
const ELSEWHERE: Record<string, Schema> = {
  InvoiceId: { type: 'string' },
  StoreId: { type: 'string' },
  PaymentMethodId: { type: 'string' },
  UnixTimestamp: { type: 'number' },
  SpeedPolicy: { enum: ['HighSpeed', 'MediumSpeed', 'LowSpeed', 'LowMediumSpeed'] },
  TimeSpanMinutes: { type: 'number' },
};

describe.skipIf(!present)('against the vendor’s description', () => {
  let world: World;
  let client: CryptoClient;
  let described: Record<string, Schema>;
  beforeAll(async () => {
    world = await createWorld();
    client = cryptoClient(world);
    described = { ...ELSEWHERE, ...read('invoices.json').components.schemas, ...read('webhooks.json').components.schemas };
  });
  afterAll(() => world.close());

  /** All differences between `value` and `schema`, by path. */
  function misfits(schema: Schema, value: unknown, path: string, complete: boolean): string[] {
    const flat = flatten(schema);
    if (value === null) return flat.nullable ? [] : [`${path} is null`];
    if (flat.enum) return flat.enum.includes(value) ? [] : [`${path} is ${JSON.stringify(value)}`];
    if (flat.format === 'decimal')
      return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? [] : [`${path} is no decimal string`];
    if (flat.items)
      return Array.isArray(value)
        ? value.flatMap((one, index) => misfits(flat.items ?? {}, one, `${path}.${index}`, complete))
        : [`${path} is no list`];
    if (flat.properties) {
      if (typeof value !== 'object') return [`${path} is no object`];
      const known = flat.properties;
      const given = value as Record<string, unknown>;
      const unknown = flat.additionalProperties === true ? [] : Object.keys(given).filter((name) => !(name in known));
      const missing = complete ? Object.keys(known).filter((name) => !(name in given)) : [];
      return [
        ...unknown.map((name) => `${path}.${name} is unknown`),
        ...missing.map((name) => `${path}.${name} is missing`),
        ...Object.entries(known).flatMap(([name, rule]) => (name in given ? misfits(rule, given[name], `${path}.${name}`, complete) : [])),
      ];
    }
    return flat.type === undefined || typeof value === flat.type ? [] : [`${path} is a ${typeof value}, not a ${flat.type}`];
  }

  /** A schema with all references and parts resolved. */
  function flatten(schema: Schema): Schema {
    if (schema.$ref !== undefined) {
      const found = described[schema.$ref.split('/').at(-1) ?? ''];
      if (!found) throw new Error(`The description does not define ${schema.$ref}`);
      return flatten(found);
    }
    const { allOf = [], ...own } = schema;
    return allOf.map(flatten).reduce<Schema>((all, part) => {
      const properties = all.properties || part.properties ? { ...all.properties, ...part.properties } : undefined;
      return { ...part, ...all, ...(properties && { properties }) };
    }, own);
  }

  const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

  test('an invoice has every field, and no other, at each stage of its life', async () => {
    const { id } = await client.create({ checkout: { redirectURL: 'http://shop.test/' } });
    const stages = [
      (): void => {},
      (): void => world.sandbox.crypto.pay(id, { amount: '1.00' }),
      (): void => world.sandbox.crypto.pay(id, { amount: '30.00' }),
      (): void => world.sandbox.crypto.confirm(id),
    ];
    const seen: string[] = [];
    for (const stage of stages) {
      stage();
      const invoice = await client.read(id);
      seen.push(`${invoice.status} ${invoice.additionalStatus}`);
      expect(misfits(named('InvoiceData'), invoice, 'invoice', true)).toEqual([]);
    }
    expect(seen).toEqual(['New None', 'New PaidPartial', 'Processing PaidOver', 'Settled PaidOver']);
  });

  test('payment methods and their payments are as described', async () => {
    const { id } = await client.create();
    world.sandbox.crypto.pay(id);
    const { body } = await client.call<unknown[]>('GET', `/invoices/${id}/payment-methods`);
    expect(body).toHaveLength(1);
    expect(misfits({ items: named('InvoicePaymentMethodDataModel') }, body, 'methods', true)).toEqual([]);
  });

  test('the webhook and its deliveries are as described', async () => {
    await client.create();
    await world.sandbox.crypto.idle();
    const { body: webhooks } = await client.call<{ id: string }[]>('GET', `${STORE}/webhooks`);
    expect(misfits({ items: named('WebhookData') }, webhooks, 'webhooks', true)).toEqual([]);
    const { body: deliveries } = await client.call<unknown[]>('GET', `/webhooks/${webhooks[0]?.id}/deliveries`);
    expect(deliveries.length).toBeGreaterThan(0);
    expect(misfits({ items: named('WebhookDeliveryData') }, deliveries, 'deliveries', true)).toEqual([]);
  });

  test('every kind of event is as described', async () => {
    const [paid, unpaid, invalid] = [await client.create(), await client.create(), await client.create()];
    world.sandbox.crypto.pay(paid.id);
    world.sandbox.crypto.confirm(paid.id);
    await client.call('POST', `/invoices/${invalid.id}/status`, { status: 'Invalid' });
    world.clock.advance(15 * 60_000);
    expect((await client.read(unpaid.id)).status).toBe('Expired');
    await world.sandbox.crypto.idle();
    const schemaOf = (type: string): string => (type === 'InvoiceCreated' ? 'WebhookInvoiceEvent' : `Webhook${type}Event`);
    for (const event of client.events()) expect(misfits(named(schemaOf(event.type)), event, event.type, true)).toEqual([]);
    const kinds = Object.keys(read('webhooks.json')['x-webhooks'] ?? {}).filter((name) => name.startsWith('Invoice'));
    expect([...new Set(client.types())].toSorted()).toEqual(kinds.toSorted());
  });

  test('the request that the shop sends is one that the description knows', () => {
    const request = {
      amount: '25.00',
      currency: 'USD',
      metadata: { orderId: 'ord_1' },
      checkout: { speedPolicy: 'MediumSpeed', expirationMinutes: 15 },
    };
    expect(misfits(named('CreateInvoiceRequest'), request, 'request', false)).toEqual([]);
    expect(misfits(named('CreateInvoiceRequest'), { ...request, colour: 'red' }, 'request', false)).toEqual(['request.colour is unknown']);
  });

  test('every endpoint that the sandbox serves is described', async () => {
    const paths = new Set([...Object.keys(read('invoices.json').paths), ...Object.keys(read('webhooks.json').paths)]);
    for (const path of [
      '/api/v1/stores/{storeId}/invoices',
      '/api/v1/invoices/{invoiceId}',
      '/api/v1/invoices/{invoiceId}/status',
      '/api/v1/invoices/{invoiceId}/payment-methods',
      '/api/v1/invoices/{invoiceId}/unarchive',
      '/api/v1/stores/{storeId}/webhooks',
      '/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
    ]) {
      expect(paths).toContain(path);
    }
  });
});
