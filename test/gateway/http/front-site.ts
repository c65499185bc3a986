// A front with routes of every kind, for the test files that call `openFrontSite`.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { fail } from '#platform/errors.ts';
import { createHealthRoute } from '../../../gateway/http/health.ts';
import { createReadiness } from '#platform/readiness.ts';
import { createMetricsRoute } from '../../../gateway/http/metrics-route.ts';
import type { Call, Route } from '#platform/route.ts';
import { type Site, type SiteOptions, startSite } from '../site.ts';
import { recordingLog } from '../world.ts';

export let site: Site;
export const { log, lines } = recordingLog();
/** The answers of the readiness checks. */
export const parts = { ready: true, shares: true };

export let calls: Call[] = [];
export let release: () => void = () => {};
export const route = (path: string, handle: Route['handle'], more: Partial<Route> = {}): Route => ({
  name: path,
  matches: (pathname) => pathname === path,
  handle,
  ...more,
});

export const options: SiteOptions = {
  log,
  routes: ({ metrics }) => [
    createHealthRoute(createReadiness({ database: () => parts.ready, jobs: async () => true }, { limits: () => parts.shares }, log)),
    createMetricsRoute(metrics, 'a token of sixteen'),
    route('/echo', (_request, response, call) => {
      calls.push(call);
      response.end('ok');
    }),
    route(
      '/slow',
      (_request, response) =>
        new Promise((resolve) => {
          release = () => {
            response.end('done');
            resolve();
          };
        }),
    ),
    route('/busy', () => {
      throw fail('overloaded', { retry_after_seconds: 3 });
    }),
    route('/broken', () => Promise.reject(new Error('the password is hunter2'))),
    route(
      '/own',
      () => {
        throw fail('plan_not_found');
      },
      { refuse: (failure, _request, response) => void response.writeHead(failure.status).end(`own ${failure.code}`) },
    ),
  ],
};

/** Starts the front before the tests of the calling file, and closes it after them. */
export function openFrontSite(): void {
  beforeAll(async () => {
    site = await startSite(options);
  });
  afterAll(async () => {
    await site.close();
  });
  beforeEach(() => {
    calls = [];
    lines.length = 0;
    parts.ready = true;
  });
}

export const get = (path: string, headers: Record<string, string> = {}) => fetch(`${site.url}${path}`, { headers, redirect: 'manual' });
export const closedRequests = async () => (await site.metrics.requests.get()).values.reduce((sum, { value }) => sum + value, 0);
