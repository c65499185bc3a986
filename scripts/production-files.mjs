// What production runs, and nothing else: the modules that its programs import, at once or when they need them, the files that those read, and the installed
// packages that they need. The sandbox, which production refuses, is left out, like the tools that build the dashboard.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { installedPackages } from './packages.mjs';

const PROGRAMS = [
  'main.ts',
  'address-use.ts',
  'servers.ts',
  'prices.ts',
  'backup.ts',
  'catalogue.ts',
  'doctor.ts',
  'migrate.ts',
  'register.ts',
  'reseal.ts',
  'restore.ts',
  'settings.ts',
  'edge/server.ts',
];
/**
 * Read, not imported: the graph's schema, migrations, the built dashboard with its prerendered pages, a script of the documents, and package.json with the program's name and `#` paths.
 */
const READ = ['package.json', 'schema', 'migrations', 'web/build', 'rest-adapter/docs/trial.js'];
/** Packages that are found by `import.meta.resolve`, or that are loaded only when the system has them. */
const RESOLVED = ['dejavu-fonts-ttf', 'koffi'];

const IMPORT = /^\s*(?:import|export)\s(?!type\s)(?:[^'"`;]*?\sfrom\s)?['"]([^'"]+)['"]/gms;
/** A module that is loaded when it is needed: not the name of a type. */
const LATER = /(?<!typeof )\bimport\('([^']+)'\)(?!\.)/g;
const SANDBOX = /^\.\/sandbox\//;
/** The module of a worker thread. */
const THREAD = /new URL\('([^']+\.ts)', import\.meta\.url\)/g;

const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function programsOf(root) {
  const subgraphs = readdirSync(join(root, 'subgraphs'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const ofSubgraphs = subgraphs.flatMap(({ name }) => {
    const folder = join('subgraphs', name, 'commands');
    const commands = existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((file) => join(folder, file)) : [];
    return [join('subgraphs', name, 'server.ts'), ...commands].filter((file) => existsSync(join(root, file)));
  });
  return [...PROGRAMS, ...ofSubgraphs];
}

/** Returns { programs, files: modules and the files or folders that they read, packages: paths in node_modules }, all relative to `root` and sorted. */
export function productionFiles(root) {
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = Object.entries(imports).map(([from, to]) => [from.replace('*', ''), to.replace('*', '')]);
  const programs = programsOf(root);
  const modules = new Set();
  const asked = new Set(RESOLVED);
  const waiting = [...programs];
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    if (modules.has(module)) continue;
    modules.add(module);
    const text = readFileSync(join(root, module), 'utf8');
    for (const [, specifier] of [
      ...text.matchAll(IMPORT),
      ...[...text.matchAll(LATER)].filter(([, specifier]) => !SANDBOX.test(specifier)),
      ...[...text.matchAll(THREAD)].map(([all, path]) => [all, path.startsWith('.') ? path : `./${path}`]),
    ]) {
      const [prefix, folder] = own.find(([from]) => specifier.startsWith(from)) ?? [];
      if (prefix) waiting.push(join(folder, specifier.slice(prefix.length)));
      else if (specifier.startsWith('.')) waiting.push(relative(root, join(root, dirname(module), specifier)));
      else if (!specifier.startsWith('node:')) asked.add(packageOf(specifier));
    }
  }
  const installed = installedPackages(root);
  const packages = new Set();
  const needed = [...asked].map((name) => `node_modules/${name}`);
  for (let path = needed.pop(); path !== undefined; path = needed.pop()) {
    if (packages.has(path)) continue;
    const found = installed.get(path);
    if (!found) throw new Error(`${path} is not installed.`);
    packages.add(path);
    needed.push(...found.needs);
  }
  return { programs: programs.toSorted(), files: [...modules, ...READ].toSorted(), packages: [...packages].toSorted() };
}
