// Run it after a change of packages: `npm run lock`. npm omits optional packages of other platforms from the lock file when the registry that it asked does not
// have them, and then refuses its own lock file in `npm ci`. This adds them, with the platform in their name, so that each system installs only its own.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const SYSTEMS = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openharmony: 'openharmony',
  win32: 'win32',
  windows: 'win32',
  wasm32: 'none',
};
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'riscv64', 's390x', 'ppc64', 'loong64', 'wasm32'];

/** `@oxlint/binding-linux-x64-musl` -> { os, cpu, libc } of package.json. */
function platformOf(name) {
  const words = name.slice(name.lastIndexOf('/') + 1).split('-');
  const system = words.find((word) => word in SYSTEMS);
  const processor = words
    .map((word) => PROCESSORS.find((known) => word === known || (known === 'arm' && word.startsWith('arm') && word !== 'arm64')))
    .find(Boolean);
  if (!system || !processor) throw new Error(`The platform of ${name} cannot be told from its name.`);
  return {
    cpu: [processor],
    ...(words.includes('musl') || words.includes('musleabihf')
      ? { libc: ['musl'] }
      : words.includes('gnu') || words.includes('gnueabihf')
        ? { libc: ['glibc'] }
        : {}),
    ...(SYSTEMS[system] !== 'none' && { os: [SYSTEMS[system]] }),
  };
}

let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = `${path}/node_modules/${name}`;
    const top = `node_modules/${name}`;
    if (lock.packages[nested] || lock.packages[top] || path === '') continue;
    if (!/^\d/.test(version)) continue;
    lock.packages[top] = { version, ...platformOf(name), optional: true };
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([one], [other]) => (one < other ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
console.log(`${added} optional packages of other platforms added to package-lock.json`);
