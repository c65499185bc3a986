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
import { API_CHANGES } from '../../../rest-adapter/docs/api-changes.ts';
import { type DocsPage, blockToHtml, paragraph, table, toMarkdown } from '../../../rest-adapter/docs/page.ts';
import { samplesOf } from '../../../rest-adapter/docs/reference-pages.ts';
import { VERIFIERS } from '../../../rest-adapter/docs/webhooks-page.ts';
import { ENDPOINTS } from '../../../rest-adapter/endpoints/index.ts';
import { LINE_PARTS } from '../../../schema/line-parts.ts';
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
    // Without scripts everything can be read: one sets the theme, one makes trial calls.
    const scripts = [...(await html.text()).matchAll(/<script src="([^"]+)"/g)].map(([, src]) => src);
    expect(scripts).toEqual(path.startsWith('/docs/api/') ? ['/docs/trial.js', '/theme.js'] : ['/theme.js']);
  }
});

test('every link of every page leads somewhere', async () => {
  const everything = await (await get('/llms-full.txt')).text();
  const paths = new Set([...everything.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, path]) => path ?? ''));
  expect(paths.size).toBeGreaterThan(100);
  expect(paths).toContain('/docs/proxies');
  for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200]);
});

test('the start, the guides and the rules of proxies are in the language of the reader, the reference says that it is not', async () => {
  const read = async (path: string, headers: Record<string, string> = {}) => (await get(path, headers)).text();
  const german = { 'accept-language': 'de-DE,de;q=0.9' };
  expect(await read('/docs/vps')).toContain('<h1>Virtual servers</h1>');
  expect(await read('/docs/vps', german)).toContain('<h1>Virtuelle Server</h1>');
  expect(await read('/docs/vps', { ...german, cookie: 'language=en' })).toContain('<h1>Virtual servers</h1>');
  const rules = await read('/docs/proxies', german);
  expect(rules).toContain('1.000');
  expect(rules).toContain('Ports: 25, 445.');
  for (const part of LINE_PARTS) expect(rules).toContain(`<code>${part}</code>`);
  expect(await read('/docs/limits', german)).toMatch(/<html lang="de">[^]*gibt es nur auf Englisch[^]*<div lang="en"><h1>/);
  expect(await read('/docs/proxies.md', german)).toMatch(/^# How proxies count/);
});

test('a choice of language is kept, and leads back to the page', async () => {
  const answer = await fetch(`${world.url}/docs/api?lang=de`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/docs/api']);
  expect(answer.headers.get('set-cookie')).toMatch(/^language=de; Path=\/; /);
});

test('the search finds pages that have all words, the nearest first, in either language', async () => {
  const find = async (words: string, headers: Record<string, string> = {}) =>
    (await get(`/docs/search?q=${encodeURIComponent(words)}`, headers)).text();
  const hits = (html: string) => [...html.matchAll(/<div class="hit"[^>]*><a href="([^"]+)"/g)].map(([, href]) => href);
  expect(hits(await find('plan_expired'))[0]).toBe('/docs/errors/plan_expired');
  expect(hits(await find('sessionttl turn'))).toContain('/docs/proxies');
  expect(hits(await find('Virtuelle Server', { 'accept-language': 'de' }))[0]).toBe('/docs/vps');
  expect(hits(await find('request_id'))).toHaveLength(20);
  expect(await find('request_id')).toMatch(/\d+ more have it/);
  expect(await find('zzzqqq')).toContain('Nothing has all of “zzzqqq”.');
  expect(await find('')).toContain('Words that a page has');
  expect(await find('<img src=x onerror=1>')).not.toContain('<img');
});

test('an operation has a form to try it, with a field for each of its inputs', async () => {
  const html = await (await get('/docs/api/generate_residential_proxies')).text();
  const fields = [...html.matchAll(/<(?:input|select) name="(\w+)" data-in="(\w+)"/g)].map(([, name, place]) => `${name} ${place}`);
  expect(fields).toEqual(expect.arrayContaining(['product_id path', 'pool query', 'quantity query', 'sticky query']));
  expect(await (await get('/docs/api/generate_residential_proxies.md')).text()).not.toContain('<form');
  expect((await get('/docs/trial.js')).headers.get('content-type')).toMatch(/^text\/javascript/);
});

test('every operation beyond the first version stands in the list of changes, and nothing else does', () => {
  const told = API_CHANGES.flatMap(({ changes }) =>
    changes.flatMap((change) => [...change.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name)),
  );
  expect(told.toSorted()).toEqual(ENDPOINTS.map(({ tool }) => tool).toSorted());
});

test('the sitemap names every page', async () => {
  const paths = [...(await (await get('/docs/sitemap.xml')).text()).matchAll(/<loc>https:\/\/proxies\.example([^<]+)</g)].map(
    ([, path]) => path,
  );
  expect(paths).toEqual(expect.arrayContaining(['/docs', '/docs/vps', '/docs/api/list_locations', '/docs/errors/plan_expired']));
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

test('the GraphQL operations of the documents are valid on the schema that keys see', async () => {
  const text = (await (await get('/docs/graphql.md')).text()) + (await (await get('/docs.md')).text());
  const schema = buildSchema(publicSdl(supergraphSdl(), 'partner'));
  const operations = [...text.matchAll(/"query":"([^"]+)"/g)].map(([, query = '']) => query);
  expect(operations.flatMap((query) => validate(schema, parse(query)).map(({ message }) => message))).toEqual([]);
  expect(operations).toHaveLength(3);
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

/** The code blocks of a page in one language. */
const blocksOf = async (path: string, language: string): Promise<string[]> =>
  [...(await (await get(path)).text()).matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``, 'g'))].map(([, text = '']) => text);

describe('the blocks of the start and of the client run', () => {
  const here = (text: string) => text.replaceAll('https://proxies.example', world.url);
  const asked = async (): Promise<NodeJS.ProcessEnv> => ({ ...process.env, API_KEY: await world.key(), PLAN: world.plans.premium });
  const ROOT = new URL('../../../', import.meta.url).pathname;

  test('curl, from the start page', async () => {
    const text = (await blocksOf('/docs.md', 'sh')).find((block) => block.includes('/v1/residential')) ?? expect.fail();
    const { stdout } = await run('sh', ['-c', here(text)], { env: await asked() });
    expect(stdout).toMatch(/"product_id":\s*"plan_a"/);
    expect(stdout).toContain('"count":10');
  });

  test('the client', async () => {
    const [text = ''] = await blocksOf('/docs/clients.md', 'js');
    const file = join(folder, 'client.mts');
    writeFileSync(file, here(text).replace("'egress-client'", `'${ROOT}rest-adapter/client/index.ts'`));
    const { stdout } = await run(process.execPath, [file], { env: await asked() });
    expect(stdout).toMatch(/"product_id":\s*"plan_a"/);
  });

  test('the command', async () => {
    const [text = ''] = await blocksOf('/docs/clients.md', 'sh');
    const command = `egress() { "${process.execPath}" "${ROOT}rest-adapter/command-line/egress.mjs" "$@"; }\n${here(text).replace('PLAN', '"$PLAN"')}`;
    const { stdout } = await run('sh', ['-ec', command], { env: await asked() });
    expect(stdout).toContain('plan_a');
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((line) => line.includes('-country-de-')).length,
    ).toBe(10);
  });
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
