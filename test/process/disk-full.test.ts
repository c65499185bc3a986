// A full disk: writes are refused with a retry time, nothing is half done, and the platform recovers by itself once there is space.
import { join } from 'node:path';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GB } from '#platform/data-size.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { watchEmbeddedPostgres } from '#platform/embedded-watch.ts';
import { silentLog } from '#platform/log.ts';
import { expectInvariants } from '../subgraphs/accounts/billing/invariants.ts';
import { plansById } from '../../subgraphs/residential/plans/entities/plan.ts';
import { buyPackage } from '../kit/purchase.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { mountSmallDisk } from '../kit/small-disk.ts';
import { type Stack, startStack } from '../kit/stack.ts';

const disk = mountSmallDisk(240);
/** More changes than fit into free space in PostgreSQL's files. */
const MAX_CHANGES = 5_000;

// Skipped where the user may not mount a file system.
describe.skipIf(!disk)('on a disk of its own', () => {
  let postgres: EmbeddedPostgres;
  let watch: ReturnType<typeof watchEmbeddedPostgres>;
  let stack: Stack;
  let buyer: SeededAccount;
  beforeAll(async () => {
    postgres = await openEmbeddedPostgres(join(disk?.path ?? '', 'postgres'));
    watch = watchEmbeddedPostgres(postgres, silentLog);
    stack = await startStack({ databaseUrl: postgres.url });
    buyer = await stack.seed.account();
  });
  afterAll(async () => {
    disk?.free();
    await stack?.close();
    await watch.stop();
    await postgres.stop();
    disk?.remove();
  });

  /** The error code of a change, or `done`. */
  async function change(cookie: string, planId: string, gigabytes: number): Promise<string> {
    const response = await fetch(`${stack.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: stack.url, cookie },
      body: JSON.stringify({
        query: 'mutation ($id: ID!, $bytes: Bytes!) { residentialPlanSetDailyLimit(id: $id, dailyLimitBytes: $bytes) { id } }',
        variables: { id: planId, bytes: `${gigabytes}000000000` },
      }),
    });
    const { errors } = (await response.json()) as { errors?: { extensions: { code: string; retryAfterSeconds?: number } }[] };
    const refusal = errors?.[0]?.extensions;
    if (refusal?.code === 'overloaded') expect(refusal.retryAfterSeconds).toBeGreaterThan(0);
    return refusal?.code ?? 'done';
  }

  test('refuses changes while it is full, and goes on by itself when there is room', async () => {
    const pool = new Pool({ connectionString: postgres.url, max: 1 });
    pool.on('error', () => {});
    const query = async <Row extends object>(sql: string, values: unknown[] = []) => (await pool.query<Row>(sql, values)).rows;
    const { planId } = await buyPackage(stack, buyer);
    const [cookie, { authorization }] = [await buyer.cookie(), await buyer.apiKey()];
    expect(await change(cookie, planId, 1)).toBe('done');

    disk?.fill();
    const seen: string[] = [];
    let done = 1;
    while (!seen.includes('overloaded') && seen.length < MAX_CHANGES) {
      const outcome = await change(cookie, planId, 2 + seen.length);
      if (outcome === 'done') done = 2 + seen.length;
      seen.push(outcome);
    }
    expect(seen.at(-1)).toBe('overloaded');
    expect(new Set(seen.slice(0, -1))).toEqual(new Set(seen.length > 1 ? ['done'] : []));
    const read = await fetch(`${stack.url}/v1/residential/${planId}/usage`, { headers: { authorization } });
    expect([200, 503]).toContain(read.status);
    if (read.status === 503) expect(Number(read.headers.get('retry-after'))).toBeGreaterThan(0);

    disk?.free();
    await expect.poll(async () => (await fetch(`${stack.url}/health/ready`)).status, { timeout: 30_000 }).toBe(200);
    // Refused changes had no effect, and successful ones are still there.
    const [plan] = await plansById(stack.subgraphs.residential.systemContext('test').em, [planId], stack.clock.now());
    expect(plan?.dailyLimitBytes).toBe(BigInt(done) * GB);
    expect((await buyPackage(stack, buyer)).status).toBe('FULFILLED');
    await expectInvariants({ query, sandbox: stack.sandbox }, 'after a full disk');
    await pool.end();
  }, 120_000);
});
