// HTTPS proxies: lines that are generated for them, carried by the node beside the platform, to clients that others wrote.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ProxyAgent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { certify } from '../kit/certificate.ts';
import { keyOf, sessionOf } from '../kit/platform.ts';
import { freePorts } from '../kit/ports.ts';
import { codesOf, startResidential } from '../subgraphs/residential/world.ts';
import { type OwnEdgeWorld, startOwnEdgeWorld } from './own-edge-world.ts';

let own: OwnEdgeWorld;
let directory: string;
let certificate: { certFile: string; keyFile: string };
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'egress-https-lines-'));
  certificate = certify(directory, 'localhost');
  const port = await freePorts(1);
  own = await startOwnEdgeWorld({ environment: { PROXY_HTTPS_PORT: String(port) }, secure: { port, ...certificate } });
});
afterAll(async () => {
  await own?.close();
  rmSync(directory, { recursive: true, force: true });
});

const GENERATE = 'query ($plan: ID!, $input: ProxyGenerateInput!) { residentialProxies(planId: $plan, input: $input) { lines } }';
const input = (protocol: string) => ({ targeting: { pool: 'Germany' }, session: 'ROTATING', sessionMinutes: 60, protocol, quantity: 1 });
/** A line as the customer gets it, as a URL. */
const lineOf = async (): Promise<string> => {
  const { data, errors } = await own.world.ask(keyOf('acct_1'), GENERATE, { plan: own.plan.id, input: input('HTTPS') });
  expect(errors).toBeUndefined();
  const [host, port, username, password] = (data as { residentialProxies: { lines: [string] } }).residentialProxies.lines[0].split(':');
  return `https://${username}:${password}@${host}:${port}`;
};
const curl = (...options: string[]) =>
  promisify(execFile)('curl', ['-sS', '--max-time', '20', '--noproxy', '', ...options, own.site.url]).then(({ stdout }) => stdout);
const THROUGH = /You come from 127\.77\./;

test('curl speaks TLS to the proxy, for requests and for tunnels, and every byte of both is counted', async () => {
  const line = await lineOf();
  expect(await curl('--proxy', line, '--proxy-cacert', certificate.certFile)).toMatch(THROUGH);
  expect(await curl('--proxy', line, '--proxy-cacert', certificate.certFile, '--proxytunnel')).toMatch(THROUGH);
  await own.edge.plans.leases.flush();
  const { upBytes, downBytes } = await own.world.planNow(own.plan.id);
  expect([upBytes > 0n, downBytes > 0n]).toEqual([true, true]);
});

test('a client that does not know the certificate, or takes the port for a plain one, gets nothing', async () => {
  const line = await lineOf();
  await expect(curl('--proxy', line)).rejects.toThrow(/certificate/i);
  await expect(curl('--proxy', line.replace('https:', 'http:'))).rejects.toThrow('Command failed');
});

test('undici speaks TLS to the proxy', async () => {
  const dispatcher = new ProxyAgent({ uri: await lineOf(), proxyTls: { ca: readFileSync(certificate.certFile) } });
  const answer = await undiciFetch(own.site.url, { dispatcher });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(THROUGH)]);
  await dispatcher.close();
});

test('the check of a line knows the port, and pages are told what is offered', async () => {
  const CHECK =
    'query ($line: String!) { proxyLineCheck(line: $line) { works scheme problems { message } } residentialRules { protocols } }';
  const { data } = await own.world.ask(sessionOf('acct_1'), CHECK, { line: await lineOf() });
  expect(data).toEqual({
    proxyLineCheck: { works: true, scheme: 'https', problems: [] },
    residentialRules: { protocols: ['HTTP', 'SOCKS5', 'HTTPS'] },
  });
});

test('where the operator has no such port there are no such lines', async () => {
  const world = await startResidential();
  const plan = await world.plan('acct_1');
  const answer = await world.ask(sessionOf('acct_1'), GENERATE, { plan: plan.id, input: input('HTTPS') });
  expect(codesOf(answer)).toEqual(['parameter_invalid']);
  expect(answer.errors?.[0]?.message).toBe('HTTPS is not offered here.');
  const rules = await world.ask(sessionOf('acct_1'), '{ residentialRules { protocols } }');
  expect(rules.data).toEqual({ residentialRules: { protocols: ['HTTP', 'SOCKS5'] } });
  await world.close();
});
