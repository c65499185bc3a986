// Alerts, dashboards and run-book: each metric that they name exists, and each alert has its page and fires when it should.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { expect, test } from 'vitest';
import { registerEdgeMetrics } from '../../edge/edge-metrics.ts';
import { startStack } from '../kit/stack.ts';

const run = promisify(execFile);
const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const alerts = read('deploy/prometheus/alerts.yaml');
const cases = read('test/deploy/alerts.test.yaml');
const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

test('each alert has its page in the run-book, its severity, and a case in which it fires', () => {
  expect(names.length).toBeGreaterThan(20);
  const pages = [...read('docs/run-book.md').matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name);
  expect(pages).toEqual(names);
  expect([...alerts.matchAll(/runbook_url: docs\/run-book\.md#(\w+)/g)].map(([, anchor]) => anchor)).toEqual(
    names.map((name) => name.toLowerCase()),
  );
  expect([...alerts.matchAll(/severity: (critical|warning)/g)]).toHaveLength(names.length);
  expect([...cases.matchAll(/^ {8}alertname: (\w+)$/gm)].map(([, name]) => name)).toEqual(names);
});

test('every metric that an alert or a dashboard names is exported by a process', async () => {
  const stack = await startStack();
  try {
    const ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess, prefix: 'egress_' });
    const ofNode = new Registry();
    const figures = {
      connections: 0,
      plans: 0,
      tunnels: 0,
      sessions: 0,
      exits: 0,
      healthyExits: 0,
      exchanges: 0,
      upBytes: 0,
      downBytes: 0,
      staticLines: 0,
      failedExchanges: 0,
      listedTargets: 0,
      listedRefusals: 0,
      blocklistFailures: 0,
    };
    registerEdgeMetrics(ofNode, { figures: () => figures });
    const told = new Set(
      [stack.platform.metrics.registry, ofNode, ofProcess].flatMap((registry) => registry.getMetricsAsArray().map(({ name }) => name)),
    );
    const named = new Set(`${alerts}${read('deploy/grafana/egress.json')}`.match(/\begress_\w+/g));
    expect(named.size).toBeGreaterThan(40);
    expect([...named].filter((name) => !told.has(name.replace(/_bucket$/, '')))).toEqual([]);
    const written = await stack.platform.metrics.registry.metrics();
    for (const line of ['egress_queue_jobs{state="ready"} 0', 'egress_orders_undelivered_seconds 0', 'egress_static_addresses_failing 0'])
      expect(written.split('\n')).toContain(line);
  } finally {
    await stack.close();
  }
});

const promtool = (...words: string[]) => run('promtool', words, { cwd: fileURLToPath(new URL('../../', import.meta.url)) });
const isInstalled = await promtool('--version').then(
  () => true,
  () => false,
);

// Debian: prometheus.
test.skipIf(!isInstalled)('Prometheus itself accepts the alerts, and each fires in its case and not before', async () => {
  expect((await promtool('check', 'rules', 'deploy/prometheus/alerts.yaml')).stdout).toContain(`SUCCESS: ${names.length} rules found`);
  expect((await promtool('test', 'rules', 'test/deploy/alerts.test.yaml')).stdout).toContain('SUCCESS');
});
