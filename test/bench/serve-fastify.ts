// The peer: this one endpoint written by hand with Fastify and pg, with the same key check, limit, SQL and answer.
import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import { Pool } from 'pg';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { toDay } from '#platform/clock.ts';
import { isApiKey } from '../../subgraphs/accounts/keys/domain/api-key.ts';

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const limiter = new RateLimiterMemory({ points: 120, duration: 60 });
const app = Fastify();

const KEY = {
  name: 'key',
  text: `select k.id, k.account_id, k.scopes, k.expires_at, k.revoked_at, a.api_allowed from accounts.api_key k join accounts.account a on a.id = k.account_id where k.hash = $1`,
};
const USAGE = {
  name: 'usage',
  text: `select p.id, p.username, p.total_bytes, p.up_bytes + p.down_bytes as used_bytes, coalesce(d.up_bytes + d.down_bytes, 0) as today
    from residential.plan p left join residential.usage_day d on d.plan_id = p.id and d.day = $3 where p.id = $1 and p.account_id = $2`,
};
const refuse = (code: string) => ({ statusCode: 401, success: false, message: code, meta: { code } });

app.get<{ Params: { id: string } }>('/v1/residential/:id/usage', async (request, reply) => {
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (!key || !isApiKey(key)) return reply.code(401).send(refuse('key_malformed'));
  const now = new Date();
  const found = (await pool.query({ ...KEY, values: [createHash('sha256').update(key).digest('hex')] })).rows[0];
  if (!found || found.revoked_at || (found.expires_at && found.expires_at <= now) || !found.api_allowed)
    return reply.code(401).send(refuse('key_unknown'));
  const rate = await limiter.consume(found.id).catch((refused: unknown) => refused as RateLimiterRes);
  reply.headers({
    'RateLimit-Limit': 120,
    'RateLimit-Remaining': rate.remainingPoints,
    'RateLimit-Reset': Math.ceil(rate.msBeforeNext / 1_000),
    'Cache-Control': 'no-store',
  });
  if (rate.consumedPoints > 120) return reply.code(429).send({ statusCode: 429, success: false, message: 'rate_limited', meta: {} });
  const plan = (await pool.query({ ...USAGE, values: [request.params.id, found.account_id, toDay(now)] })).rows[0];
  if (!plan) return reply.code(404).send({ statusCode: 404, success: false, message: 'plan_not_found', meta: {} });
  const gb = (bytes: string) => Number(BigInt(bytes) / 1_000n) / 1_000_000;
  return {
    statusCode: 200,
    data: { total_data: gb(plan.total_bytes), used_data: gb(plan.used_bytes), username: plan.username, product: plan.id },
    message: 'OK',
    success: true,
    error: null,
  };
});

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
process.send?.({});
process.on(
  'SIGTERM',
  () =>
    void app
      .close()
      .then(() => pool.end())
      .then(() => process.exit(0)),
);
