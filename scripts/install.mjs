// Runs before `npm start` and `npm test`, on any Node from 20 on: installs the exact lock file unless it is installed already. One of the packages is Node 24
// itself; npm's scripts then find that one first.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const at = (path) => new URL(path, root);
const mark = at('node_modules/.egress-lock');
const lock = createHash('sha256')
  .update(readFileSync(at('package-lock.json')))
  .digest('hex');

const installed = existsSync(mark) && readFileSync(mark, 'utf8') === lock;
if (!installed) {
  console.log('Installing the packages of the lock file ...');
  const npm = process.env.npm_execpath;
  const [program, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const run = (...words) => execFileSync(program, [...args, ...words], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  run('ci', '--ignore-scripts', '--no-audit', '--no-fund');
  // Runs only the packages' install scripts that are listed; SECURITY.md gives the reason for each.
  const { allowScripts } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] && existsSync(at(`node_modules/${name}`)));
  if (allowed.length > 0) run('rebuild', ...allowed);
  writeFileSync(mark, lock);
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (!existsSync(at('node_modules/.bin/node')) && (major < 24 || (major === 24 && minor < 7))) {
  console.error(
    `Egress needs Node 24.7 or newer on this system; this is ${process.versions.node}. On Linux (x64, arm64) it brings its own.`,
  );
  process.exit(1);
}
