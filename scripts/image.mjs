// `npm run --silent image [-- --tag NAME:TAG] [--archive FILE]`: builds the platform's image with buildah, for this machine's architecture, and prints its
// name. `--archive` also writes it to a file for `docker load` and `podman load`. The image has no shell and no tools; see `deploy/image/Containerfile`.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { productionFiles } from './production-files.mjs';

const root = join(import.meta.dirname, '..');
const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { values } = parseArgs({ options: { tag: { type: 'string', default: `localhost/egress:${version}` }, archive: { type: 'string' } } });

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Makes the copy readable for the image's user, whatever this machine's umask is. */
function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, 0o644);
}

/** Leaves out files that only people, compilers and debuggers read. Licences stay in. */
const isRead = (name) => !/\.(?:d\.[cm]?ts|map|flow|md|markdown)$/.test(name) || /licen[cs]e|copying|notice/i.test(name);

/** The files of a folder, as paths from the root; packages inside a package are left out, because they are listed themselves. */
const filesOf = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesOf(path);
    return entry.isFile() && isRead(entry.name) ? [path] : [];
  });

/** Files are owned by root, readable for all and have a fixed time: the same files give the same archive on any machine. */
const pack = (archive, files) =>
  execFileSync(
    'tar',
    [
      '--create',
      '--file',
      archive,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u=rwX,go=rX',
      '--mtime=@0',
      '--null',
      '--files-from=-',
    ],
    { cwd: root, input: [...new Set(files)].toSorted().join('\0'), stdio: ['pipe', 'inherit', 'inherit'] },
  );

/** Node with its shared libraries, and those with which the C library resolves names, at the same paths as on this machine. */
function gatherRuntime(folder) {
  const node = realpathSync(join(root, 'node_modules/.bin/node'));
  copy(node, join(folder, 'usr/bin/node'));
  chmodSync(join(folder, 'usr/bin/node'), 0o755);
  const asked = [...execFileSync('ldd', [node], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path);
  const besides = ['libresolv.so.2', 'libnss_dns.so.2', 'libnss_files.so.2'].map((name) =>
    join(dirname(asked.find((path) => path.includes('libc.so')) ?? ''), name),
  );
  for (const path of [...asked, ...besides.filter((path) => existsSync(path))]) {
    copy(realpathSync(path), join(folder, path));
    chmodSync(join(folder, path), 0o755);
  }
  const authorities = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem'].find((path) =>
    existsSync(path),
  );
  if (!authorities) fail('This machine has no certificates of authorities. Install the package ca-certificates.');
  copy(authorities, join(folder, 'etc/ssl/certs/ca-certificates.crt'));
  for (const name of ['libc6', 'libstdc++6', 'libgcc-s1', 'ca-certificates'])
    if (existsSync(`/usr/share/doc/${name}/copyright`))
      copy(`/usr/share/doc/${name}/copyright`, join(folder, `usr/share/doc/${name}/copyright`));
  writeFileSync(join(folder, 'etc/passwd'), 'egress:x:10001:10001::/data:/nonexistent\n');
  writeFileSync(join(folder, 'etc/group'), 'egress:x:10001:\n');
  mkdirSync(join(folder, 'tmp'));
  chmodSync(join(folder, 'tmp'), 0o1777);
}

function packPlatform(folder) {
  const { files, packages } = productionFiles(root);
  pack(join(folder, 'packages.tar'), packages.flatMap(filesOf));
  pack(
    join(folder, 'platform.tar'),
    files.flatMap((path) => (statSync(join(root, path)).isDirectory() ? filesOf(path) : [path])),
  );
}

if (process.platform !== 'linux') fail('The image is built on Linux.');
if (spawnSync('buildah', ['--version']).error)
  fail('The image is built by buildah, which this machine does not have. Install the package buildah.');
// Standard output is only for the name of the image.
execFileSync(process.execPath, [join(root, 'web/build-if-changed.ts')], { stdio: ['ignore', 2, 'inherit'] });

const context = mkdtempSync(join(tmpdir(), 'egress-image-'));
try {
  for (const folder of ['runtime/etc', 'state/data']) mkdirSync(join(context, folder), { recursive: true });
  gatherRuntime(join(context, 'runtime'));
  packPlatform(context);
  for (const name of ['Containerfile', 'health.mjs']) copy(join(root, 'deploy/image', name), join(context, name));
  const buildah = (...words) => execFileSync('buildah', words, { stdio: ['ignore', 2, 'inherit'] });
  const label = (name, value) => ['--label', `org.opencontainers.image.${name}=${value}`];
  // The docker format, because OCI's has no health check. The build runs no program, so it needs no isolation.
  buildah(
    'bud',
    '--quiet',
    '--isolation',
    'chroot',
    '--network',
    'host',
    '--format',
    'docker',
    ...label('title', 'egress'),
    ...label('description', description),
    ...label('version', version),
    '--tag',
    values.tag,
    context,
  );
  if (values.archive) {
    rmSync(values.archive, { force: true });
    buildah('push', '--quiet', values.tag, `docker-archive:${values.archive}:${values.tag}`);
  }
  console.log(values.tag);
} catch (error) {
  // A program has failed and printed why.
  if (error.status === undefined) throw error;
  process.exitCode = 1;
} finally {
  rmSync(context, { recursive: true });
}
