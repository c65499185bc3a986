// The programs that customers use with lines: each over HTTP (absolute form and CONNECT), and SOCKS5 if it supports it, with rotating and sticky lines.
// A program that is not installed is skipped and named.
import { execFile, execFileSync } from 'node:child_process';
import { type AgentOptions, Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Dispatcher, ProxyAgent, Socks5ProxyAgent, fetch as undiciFetch } from 'undici';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../browser/browser.ts';
import { type OwnEdgeWorld, startOwnEdgeWorld } from './own-edge-world.ts';

let own: OwnEdgeWorld;
beforeAll(async () => {
  own = await startOwnEdgeWorld();
});
afterAll(() => own.close());

const run = promisify(execFile);
const TIMES = 6;
const LINES = { rotating: '-country-any', sticky: '-country-any-session-12345678-sessionttl-30' };
type Scheme = 'http' | 'socks5' | 'socks5h';
const username = (line: keyof typeof LINES) => own.plan.username + LINES[line];
const port = (scheme: Scheme) => own.edge.ports[scheme === 'http' ? 0 : 1];
const proxyUrl = (scheme: Scheme, line: keyof typeof LINES) => `${scheme}://${username(line)}:${own.password}@127.0.0.1:${port(scheme)}`;

const hasPython = (...modules: string[]): boolean => {
  try {
    execFileSync('python3', ['-c', `import ${modules.join(', ')}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const python = async (script: string, scheme: Scheme, line: keyof typeof LINES): Promise<string[]> => {
  const { stdout } = await run('python3', ['-c', script, own.site.url, proxyUrl(scheme, line), String(TIMES)]);
  return stdout.trim().split('\n');
};
const REQUESTS = `
import sys, requests
url, proxy, times = sys.argv[1:]
for _ in range(int(times)):
    session = requests.Session()
    session.trust_env = False
    session.proxies = {'http': proxy, 'https': proxy}
    answer = session.get(url, timeout=10)
    answer.raise_for_status()
    print(answer.text.strip())
`;
const URLLIB = `
import sys, urllib.request
url, proxy, times = sys.argv[1:]
opener = urllib.request.build_opener(urllib.request.ProxyHandler({'http': proxy, 'https': proxy}))
for _ in range(int(times)):
    print(opener.open(url, timeout=10).read().decode().strip())
`;
const curl =
  (...options: string[]) =>
  async (scheme: Scheme, line: keyof typeof LINES): Promise<string[]> => {
    const answers: string[] = [];
    for (let count = 0; count < TIMES; count++)
      answers.push(
        (await run('curl', ['-sS', '--max-time', '10', '--noproxy', '', ...options, '-x', proxyUrl(scheme, line), own.site.url])).stdout,
      );
    return answers;
  };
/** A persistent tunnel keeps its exit, so each request gets its own agent. */
async function undici(scheme: Scheme, line: keyof typeof LINES): Promise<string[]> {
  const answers: string[] = [];
  for (let count = 0; count < TIMES; count++) {
    const agent: Dispatcher = scheme === 'http' ? new ProxyAgent(proxyUrl('http', line)) : new Socks5ProxyAgent(proxyUrl('socks5', line));
    answers.push(await (await undiciFetch(own.site.url, { dispatcher: agent })).text());
    await agent.close();
  }
  return answers;
}

/** Node's built-in client: requests in absolute form through the proxy named in the environment. */
async function nodeHttp(_scheme: Scheme, line: keyof typeof LINES): Promise<string[]> {
  const answers: string[] = [];
  for (let count = 0; count < TIMES; count++) {
    const agent = new Agent({ proxyEnv: { HTTP_PROXY: proxyUrl('http', line) } } as AgentOptions);
    answers.push(
      await new Promise<string>((resolve, reject) => get(own.site.url, { agent }, (answer) => resolve(text(answer))).on('error', reject)),
    );
    agent.destroy();
  }
  return answers;
}

async function chrome(_scheme: Scheme, line: keyof typeof LINES): Promise<string[]> {
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--proxy-bypass-list=<-loopback>'],
  });
  const answers: string[] = [];
  for (let count = 0; count < TIMES; count++) {
    const context = await browser.newContext({
      proxy: { server: `http://127.0.0.1:${port('http')}`, username: username(line), password: own.password, bypass: '<-loopback>' },
    });
    const page = await context.newPage();
    await page.goto(own.site.url);
    answers.push((await page.textContent('body')) ?? '');
    await context.close();
  }
  await browser.close();
  return answers;
}

interface Client {
  name: string;
  scheme: Scheme;
  there: boolean;
  ask(scheme: Scheme, line: keyof typeof LINES): Promise<string[]>;
}
const CLIENTS: readonly Client[] = [
  { name: 'curl', scheme: 'http', there: true, ask: curl() },
  { name: 'curl with CONNECT', scheme: 'http', there: true, ask: curl('-p') },
  { name: 'curl', scheme: 'socks5', there: true, ask: curl() },
  { name: 'curl', scheme: 'socks5h', there: true, ask: curl() },
  { name: 'undici fetch', scheme: 'http', there: true, ask: undici },
  { name: 'undici fetch', scheme: 'socks5', there: true, ask: undici },
  { name: 'node:http', scheme: 'http', there: true, ask: nodeHttp },
  { name: 'Python requests', scheme: 'http', there: hasPython('requests'), ask: (scheme, line) => python(REQUESTS, scheme, line) },
  {
    name: 'Python requests',
    scheme: 'socks5',
    there: hasPython('requests', 'socks'),
    ask: (scheme, line) => python(REQUESTS, scheme, line),
  },
  {
    name: 'Python requests',
    scheme: 'socks5h',
    there: hasPython('requests', 'socks'),
    ask: (scheme, line) => python(REQUESTS, scheme, line),
  },
  { name: 'Python urllib', scheme: 'http', there: hasPython('urllib.request'), ask: (scheme, line) => python(URLLIB, scheme, line) },
  // Chromium does not support passwords for SOCKS5.
  { name: 'Chromium', scheme: 'http', there: true, ask: chrome },
];

describe.each(CLIENTS)('$name over $scheme', ({ scheme, there, ask }) => {
  test.skipIf(!there)('a rotating line comes from different addresses, none twice in a row', async () => {
    const answers = await ask(scheme, 'rotating');
    expect(answers).toHaveLength(TIMES);
    for (const answer of answers) expect(answer).toMatch(/^You come from 127\.77\.\d+\.\d+\./);
    expect(answers.every((answer, index) => answer !== answers[index - 1])).toBe(true);
  });

  test.skipIf(!there)('a sticky line comes from one address', async () => {
    const answers = await ask(scheme, 'sticky');
    expect(answers).toHaveLength(TIMES);
    expect(answers[0]).toMatch(/^You come from 127\.77\.\d+\.\d+\./);
    expect(new Set(answers.map((answer) => answer.trim())).size).toBe(1);
  });
});
