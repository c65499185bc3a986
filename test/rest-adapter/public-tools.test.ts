// Linters and generators of others on the document as it is served. They are too heavy to be installed with the project (443 packages, 195 MB), so they run
// where OPENAPI_TOOLS names a folder that has them; the rules that they found broken are held without them, in openapi.test.ts:
// npm install --prefix FOLDER @redocly/cli@2.77.0 @stoplight/spectral-cli@6.16.3 openapi-typescript@7.13.0 openapi-fetch@0.17.0
//   @hey-api/openapi-ts@0.95.0 typescript@5.9.3
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StackWorld, startStackWorld } from './stack-world.ts';

const TOOLS = process.env['OPENAPI_TOOLS'] ?? '';
const PROGRAMS = ['redocly', 'spectral', 'openapi-typescript', 'openapi-ts', 'tsc'];
const there = TOOLS !== '' && PROGRAMS.every((name) => existsSync(join(TOOLS, 'node_modules/.bin', name)));

/** As a customer writes it, from the generated types alone; prints what it has found. */
const CUSTOMER = `
import createFetchClient from 'openapi-fetch';
import type { components, paths } from './schema';
import { createProxyUser, removeProxyUser, generateResidentialProxies, listResidentialPlans } from './generated';
import { createClient } from './generated/client';

const [, , baseUrl = '', key = '', product_id = ''] = process.argv;
const fetchClient = createFetchClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + key } });
const client = createClient({ baseUrl, auth: key });

async function main(): Promise<void> {
  const plans = await fetchClient.GET('/v1/residential');
  const names: string[] | undefined = plans.data?.data.plans.map((plan) => plan.product_id);
  const path = { product_id };
  const lines = await fetchClient.GET('/v1/residential/{product_id}/proxies', {
    params: { path, query: { pool: 'Germany', quantity: 2, sticky: true, time: 30 } },
  });
  const refused = await fetchClient.GET('/v1/residential/{product_id}/proxies', {
    params: { path, query: { pool: 'Germany', quantity: 2, sticky: true, time: 7 } },
  });
  // By its media type it is one or the other.
  const code: components['schemas']['ErrorCode'] | undefined =
    refused.error && ('meta' in refused.error ? refused.error.meta.code : refused.error.code);
  const same = await listResidentialPlans({ client });
  const more = await generateResidentialProxies({ client, path, query: { pool: 'Italy', quantity: 1, sticky: false } });
  const made = await createProxyUser({ client, path, body: { name: 'Generated', countries: ['Germany'] } });
  const user_id: string = made.data?.data.user.user_id ?? '';
  const gone = await removeProxyUser({ client, path: { user_id } });
  const count: number | undefined = more.data?.data.count;
  console.log(JSON.stringify({
    names, lines: lines.data?.data.proxies.length, code, same: same.data?.data.plans.length, count, user: user_id === gone.data?.data.user_id && user_id !== '',
  }));
}
void main();
`;
const STRICT = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    module: 'commonjs',
    moduleResolution: 'node10',
    esModuleInterop: true,
    outDir: 'out',
  },
  files: ['customer.ts'],
};

describe.skipIf(!there)('with the tools that OPENAPI_TOOLS names', { timeout: 300_000 }, () => {
  let world: StackWorld;
  let folder: string;
  const run = (program: string, ...words: string[]) =>
    promisify(execFile)(program, words, { cwd: folder, env: { ...process.env, CI: 'true', NODE_OPTIONS: '', REDOCLY_TELEMETRY: 'off' } });
  const tool = (name: string, ...words: string[]) => run(join(TOOLS, 'node_modules/.bin', name), ...words);

  beforeAll(async () => {
    world = await startStackWorld();
    // Inside the folder of the tools, where the generated code finds its imports.
    folder = mkdtempSync(join(TOOLS, 'document-'));
    writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${world.url}/openapi.json`)).text());
  });
  afterAll(async () => {
    await world?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('Redocly finds nothing by its strictest rules', async () => {
    const { stdout } = await tool('redocly', 'lint', '--extends=recommended-strict', '--format=json', 'openapi.json');
    const { totals } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { totals: object };
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  });

  test('Spectral finds nothing, not even a hint', async () => {
    writeFileSync(join(folder, 'ruleset.json'), JSON.stringify({ extends: ['spectral:oas'] }));
    const { stdout } = await tool('spectral', 'lint', '--fail-severity=hint', '--format=json', '--ruleset=ruleset.json', 'openapi.json');
    // A sentence of its own follows the list.
    expect(JSON.parse(stdout.slice(0, stdout.lastIndexOf(']') + 1))).toEqual([]);
  });

  test('the clients of two generators compile strictly, and work', async () => {
    await tool('openapi-typescript', 'openapi.json', '--output', 'schema.ts');
    await tool('openapi-ts', '--input', 'openapi.json', '--output', 'generated', '--silent');
    writeFileSync(join(folder, 'customer.ts'), CUSTOMER);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'commonjs' }));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(STRICT));
    const compiled = await tool('tsc', '--project', '.').catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe('');
    const { plans } = world;
    const { stdout } = await run(
      process.execPath,
      'out/customer.js',
      world.url,
      await world.keyFor('read', 'generate', 'plans'),
      plans.premium,
    );
    expect(JSON.parse(stdout)).toEqual({
      names: expect.arrayContaining([plans.premium, plans.mobile]),
      lines: 2,
      code: 'time_not_allowed',
      same: 3,
      count: 1,
      user: true,
    });
  });
});
