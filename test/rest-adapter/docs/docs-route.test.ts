import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSchema, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicSdl } from '../../../schema/public-sdl.ts';
import { supergraphSdl } from '../../../schema/contracts.ts';
import { PUBLIC_CODES } from '../../../rest-adapter/docs/error-pages.ts';
import { type DocsPage, blockToHtml, paragraph, table, toMarkdown } from '../../../rest-adapter/docs/page.ts';
import { samplesOf } from '../../../rest-adapter/docs/reference-pages.ts';
import { VERIFIERS } from '../../../rest-adapter/docs/webhooks-page.ts';
import { ENDPOINTS } from '../../../rest-adapter/endpoints/index.ts';
import { signatureHeaders } from '#platform/standard-webhook.ts';
import { type MemoryWorld, startMemoryWorld } from '../memory-world.ts';

let world: MemoryWorld;
let folder: string;
beforeAll(async () => {
  world = await startMemoryWorld();
  folder = mkdtempSync(join(tmpdir(), 'egress-samples-'));
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${world.url}${path}`, { headers });

test('every page that llms.txt names is there, as Markdown and as HTML, without a key', async () => {
  const overview = await (await get('/llms.txt')).text();
  const paths = [...overview.matchAll(/\(https:\/\/proxies\.example(\/[^)]+)\)/g)].map(([, path]) => path ?? '');
  expect(paths.length).toBeGreaterThan(ENDPOINTS.length + 3);
  for (const path of paths) {
    const markdown = await get(path);
    expect([path, markdown.status, markdown.headers.get('content-type')]).toEqual([path, 200, 'text/markdown; charset=utf-8']);
    expect(await markdown.text()).toMatch(/^# /);
    if (path.endsWith('.txt')) continue;
    const html = await get(path.replace(/\.md$/, ''));
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(await html.text()).not.toContain('<script');
  }
});

test('every link of every page leads somewhere', async () => {
  const everything = await (await get('/llms-full.txt')).text();
  const paths = new Set([...everything.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, path]) => path ?? ''));
  expect(paths.size).toBeGreaterThan(100);
  for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200]);
});

test('each code has a page with its status, how to fix it, and its envelope', async () => {
  for (const code of PUBLIC_CODES) {
    const text = await (await get(`/docs/errors/${code}.md`)).text();
    expect(text).toContain(`# ${code}\n`);
    expect(text).toContain('## How to mend it');
    expect(text).not.toContain('Read the message: it says what is wrong.');
    expect(text).toContain(`"code": "${code}"`);
  }
});

test('a code that is fixed differently from others of its status says so', async () => {
  const text = async (code: string) => (await get(`/docs/errors/${code}.md`)).text();
  expect(await text('plan_expired')).toContain('buy a package');
  expect(await text('plan_expired')).not.toContain('Look at the id');
  expect(await text('plan_not_found')).toContain('Look at the id');
  expect(await text('address_not_allowed')).toContain('an address that the key is bound to');
});

test('the operations of the page about GraphQL are valid on the schema that keys see', async () => {
  const text = await (await get('/docs/graphql.md')).text();
  const schema = buildSchema(publicSdl(supergraphSdl(), 'partner'));
  const operations = [...text.matchAll(/"query":"([^"]+)"/g)].map(([, query = '']) => query);
  expect(operations.flatMap((query) => validate(schema, parse(query)).map(({ message }) => message))).toEqual([]);
  expect(operations).toHaveLength(2);
});

test.each(['/docs/errors/nothing', '/docs/api/nothing.md', '/docs/errors/constructor', '/docs/limits/x'])('404 at %s', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test('a cached page is not sent again', async () => {
  const tag = (await get('/docs/api')).headers.get('etag') ?? '';
  expect((await get('/docs/api', { 'if-none-match': tag })).status).toBe(304);
});

test('text is escaped in tables and in HTML', () => {
  const page: DocsPage = { path: '/x', title: 'x', summary: 's', blocks: [table(['a'], [['b | c']])] };
  expect(toMarkdown(page)).toContain('| b \\| c |');
  expect(blockToHtml(paragraph('<img src=x onerror="1"> `a<b` [x](/docs/api) [y](javascript:1)'))).toBe(
    '<p>&lt;img src=x onerror=&quot;1&quot;&gt; <code>a&lt;b</code> <a href="/docs/api">x</a> [y](javascript:1)</p>',
  );
});

const run = promisify(execFile);
const isInstalled = (program: string): boolean => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
/** Language -> the program, the name of its file, and its arguments. */
const RUNNERS: Record<string, [string, string, (file: string) => string[]]> = {
  sh: ['curl', 'sample.sh', (file) => ['-c', `sh ${file}`]],
  python: ['python3', 'sample.py', (file) => [file]],
  js: ['node', 'sample.mjs', (file) => [file]],
  go: ['go', 'sample.go', (file) => ['run', file]],
  php: ['php', 'sample.php', (file) => [file]],
};

describe('the samples run, and print the plans', () => {
  for (const { language, name } of samplesOf('')) {
    const [program = '', file = '', given = () => []] = RUNNERS[language] ?? [];
    test.skipIf(!isInstalled(program))(`${name} (skipped where ${program} is not installed)`, async () => {
      const { text } = samplesOf(`${world.url}/v1/residential`).find((sample) => sample.language === language) ?? expect.fail();
      const path = join(folder, file);
      writeFileSync(path, text);
      const { stdout } = await run(language === 'sh' ? 'sh' : program, given(path), {
        env: { ...process.env, API_KEY: await world.key() },
      });
      expect(stdout).toMatch(/"product_id":\s*"plan_a"/);
    });
  }
});

describe('the samples that verify a webhook accept only what was signed for them', () => {
  const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  /** Language -> the program, its files (the sample and a caller of it), and the arguments. */
  const ASKED: Record<string, { program: string; files: (text: string) => Record<string, string>; given: string[] }> = {
    js: {
      program: 'node',
      files: (text) => ({
        'verify.mjs': text,
        'ask.mjs': `import { verify } from './verify.mjs';\nconst { SECRET, HEADERS, BODY } = process.env;\nconsole.log(verify(SECRET, JSON.parse(HEADERS), BODY));`,
      }),
      given: ['ask.mjs'],
    },
    python: {
      program: 'python3',
      files: (text) => ({
        'verify.py': text,
        'ask.py': `import json, os\nfrom verify import verify\nprint(str(verify(os.environ["SECRET"], json.loads(os.environ["HEADERS"]), os.environ["BODY"].encode())).lower())`,
      }),
      given: ['ask.py'],
    },
    go: {
      program: 'go',
      files: (text) => ({
        'verify.go': text,
        'ask.go': `package main\n\nimport (\n\t"encoding/json"\n\t"fmt"\n\t"net/http"\n\t"os"\n)\n\nfunc main() {\n\tvar given map[string]string\n\tjson.Unmarshal([]byte(os.Getenv("HEADERS")), &given)\n\theader := http.Header{}\n\tfor name, value := range given {\n\t\theader.Set(name, value)\n\t}\n\tfmt.Println(Verify(os.Getenv("SECRET"), header, []byte(os.Getenv("BODY"))))\n}`,
      }),
      given: ['run', 'verify.go', 'ask.go'],
    },
    php: {
      program: 'php',
      files: (text) => ({
        'verify.php': text,
        'ask.php': `<?php\nrequire 'verify.php';\necho json_encode(verify(getenv('SECRET'), json_decode(getenv('HEADERS'), true), getenv('BODY')));`,
      }),
      given: ['ask.php'],
    },
  };
  const BODY = '{"type":"residential_plan.paused","data":{"product_id":"plan_ä"}}';
  const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  const signedAt = (at: Date, secrets = [SECRET]) => signatureHeaders({ id: 'evt_1', at, body: BODY }, secrets);

  for (const { language, name, text } of VERIFIERS) {
    const asked = ASKED[language] ?? expect.fail();
    test.skipIf(!isInstalled(asked.program))(`${name} (skipped where ${asked.program} is not installed)`, async () => {
      const cwd = mkdtempSync(join(folder, 'verify-'));
      for (const [file, content] of Object.entries(asked.files(text))) writeFileSync(join(cwd, file), content);
      const verify = async (headers: Record<string, string>, body = BODY) => {
        const env = { ...process.env, SECRET, HEADERS: JSON.stringify(headers), BODY: body };
        return (await run(asked.program, asked.given, { cwd, env })).stdout.trim();
      };
      const now = new Date();
      expect(await verify(signedAt(now))).toBe('true');
      // While a secret is being replaced, both the old and the new one sign.
      expect(await verify(signedAt(now, [OTHER, SECRET]))).toBe('true');
      expect(await verify(signedAt(now, [OTHER]))).toBe('false');
      expect(await verify(signedAt(now), `${BODY} `)).toBe('false');
      expect(await verify({ ...signedAt(now), 'webhook-id': 'evt_2' })).toBe('false');
      expect(await verify(signedAt(new Date(now.getTime() - 600_000)))).toBe('false');
      expect(await verify({})).toBe('false');
    });
  }
});
