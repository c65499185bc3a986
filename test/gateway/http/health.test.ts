// Health checks and metrics of the front, and who may read them.
import { describe, expect, test } from 'vitest';
import { openFrontSite, parts, get } from './front-site.ts';

openFrontSite();

describe('health and metrics', () => {
  test('readiness names the part that is not ready', async () => {
    expect((await get('/health/ready')).status).toBe(200);
    parts.ready = false;
    const response = await get('/health/ready');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await response.json()).toEqual({ status: 'unavailable', checks: { database: false, jobs: true, limits: true } });
    expect((await get('/health/live')).status).toBe(200);
  });

  test('a failed optional part is named, and readiness stays 200', async () => {
    parts.shares = false;
    const response = await get('/health/ready');
    parts.shares = true;
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'degraded', checks: { database: true, jobs: true, limits: false } },
    ]);
  });

  test('metrics need the token, also from this machine, where a reverse proxy may run', async () => {
    await get('/echo');
    expect((await get('/metrics')).status).toBe(404);
    const text = await (await get('/metrics', { authorization: 'Bearer a token of sixteen' })).text();
    expect(text).toMatch(/egress_requests_total\{route="\/echo",status="200"\} \d+/);
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(404);
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer a token of sixteen' })).status).toBe(200);
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer another' })).status).toBe(404);
  });
});
