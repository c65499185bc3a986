// Installed packages: their install scripts and licences, and the bill of materials.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
interface Lock {
  packages: Record<string, { hasInstallScript?: true; dev?: true; devOptional?: true; version?: string }>;
}
const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const lock = JSON.parse(read('package-lock.json')) as Lock;
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

test('every package that has an install script is listed, with whether it runs and why', () => {
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
  const withScript = Object.keys(lock.packages).filter((path) => lock.packages[path]?.hasInstallScript);
  expect(Object.keys(allowScripts).toSorted()).toEqual(withScript.map(nameOf).toSorted());
  const rows = [...read('SECURITY.md').matchAll(/^\| `([^`]+)` \| (yes|no) \| \S/gm)].map(([, name = '', runs]) => ({ name, runs }));
  for (const [name, allowed] of Object.entries(allowScripts)) {
    const row = rows.find((one) => (one.name.endsWith('/*') ? name.startsWith(one.name.slice(0, -1)) : name === one.name));
    expect(row?.runs, name).toBe(allowed ? 'yes' : 'no');
  }
});

const licences = (...root: string[]) => run(process.execPath, ['scripts/licences.mjs', ...root]);

test('every installed package has an allowed licence', async () => {
  const { stdout } = await licences();
  expect(stdout).toContain('\nstripe,');
});

test('a package with another licence, or with none, is named', async () => {
  const root = mkdtempSync(join(tmpdir(), 'egress-licences-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const packages = {
    '': {},
    'node_modules/fit': {},
    'node_modules/unfit': {},
    'node_modules/silent': {},
    'node_modules/of-another-system': {},
  };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  for (const [name, license] of [
    ['fit', '(AGPL-3.0 OR MIT)'],
    ['unfit', '(MIT AND AGPL-3.0)'],
    ['silent', undefined],
  ] as const) {
    mkdirSync(join(root, 'node_modules', name), { recursive: true });
    writeFileSync(join(root, 'node_modules', name, 'package.json'), JSON.stringify({ name, version: '1.0.0', license }));
  }
  const failure = await licences(root).catch((error: { code: number; stderr: string }) => error);
  expect(failure).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('\nunfit,1.0.0,(MIT AND AGPL-3.0)\nsilent,1.0.0,not said\n'),
  });
});

interface BillOfMaterials {
  bomFormat: string;
  components: {
    'bom-ref': string;
    name: string;
    version: string;
    licenses: { expression?: string }[];
    hashes: { alg: string; content: string }[];
  }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

test('the bill of materials has each production package with its licence, hash and dependencies', async () => {
  const { stdout } = await run(process.execPath, ['scripts/sbom.mjs'], { maxBuffer: 2 ** 26 });
  const { bomFormat, components, dependencies } = JSON.parse(stdout) as BillOfMaterials;
  expect(bomFormat).toBe('CycloneDX');
  const needed = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional }]) =>
      path !== '' && !dev && !devOptional && existsSync(new URL(`../../${path}/package.json`, import.meta.url)),
  );
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`));
  expect(new Set(needed.map(([path, { version }]) => `${nameOf(path)}@${version}`))).toEqual(named);
  for (const { name, licenses, hashes } of components) {
    expect(licenses[0]?.expression, name).toEqual(expect.any(String));
    expect(hashes, name).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
  }
  const refs = new Set(components.map((component) => component['bom-ref']));
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
  const reached = new Set<string>();
  const walk = (ref: string): void => {
    if (reached.has(ref)) return;
    reached.add(ref);
    dependencies.find((one) => one.ref === ref)?.dependsOn.forEach(walk);
  };
  walk('pkg:npm/egress@0.1.0');
  expect([...refs].filter((ref) => !reached.has(ref))).toEqual([]);
});
