// Variables of a .env file: variables that are already set take precedence.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
const WRONG = 'PORT=x\nLOG_LEVEL="loud"  # neither is any\n';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'egress-env-'));
  writeFileSync(join(folder, '.env'), WRONG);
  writeFileSync(join(folder, 'other'), 'PORT=y\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The output and exit code of a start that is refused for its variables, before it opens anything. */
const start = (environment: Record<string, string>, cwd = folder, file = 'main.ts') =>
  new Promise<{ code: unknown; said: string }>((resolve) =>
    execFile(
      process.execPath,
      [fileURLToPath(new URL(`../../${file}`, import.meta.url))],
      { cwd, env: { PATH: process.env['PATH'] ?? '', ...environment } },
      (error, _, said) => resolve({ code: error?.code ?? 0, said }),
    ),
  );

test.each(['main.ts', 'subgraphs/static/server.ts', 'subgraphs/static/commands/inventory.ts'])(
  '%s reads .env of its folder',
  async (file) => {
    const { code, said } = await start({}, folder, file);
    expect(said).toContain('PORT Invalid input: expected number, received NaN (it is "x").');
    expect(said).toMatch(/LOG_LEVEL .*\(it is "loud"\)\./);
    expect(code).toBe(1);
  },
);

test('a proxy node reads it too', async () => {
  const { said } = await start({}, folder, 'edge/server.ts');
  expect(said).toContain('PLATFORM_URL');
});

test('variables that are already set take precedence', async () => {
  const { said } = await start({ PORT: 'z' });
  expect(said).toContain('(it is "z")');
  expect(said).toMatch(/LOG_LEVEL/);
});

test('ENV_FILE names another file, which must exist', async () => {
  expect((await start({ ENV_FILE: join(folder, 'other') })).said).toContain('(it is "y")');
  expect(await start({ ENV_FILE: join(folder, 'none') })).toEqual({
    code: 1,
    said: `The file ${join(folder, 'none')} of ENV_FILE cannot be read (ENOENT).\n`,
  });
});
