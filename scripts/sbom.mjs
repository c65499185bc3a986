// `npm run --silent sbom`: the bill of materials of what runs in production, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/): the installed packages
// with version, licence, the hash in the lock file, and their dependencies. The same packages give the same text.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedPackages } from './packages.mjs';

const root = join(import.meta.dirname, '..');
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const lock = readFileSync(join(root, 'package-lock.json'));

/** https://github.com/package-url/purl-spec: the @ of a scope is encoded. */
const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function hashOf({ integrity }) {
  const [algorithm = '', hash = ''] = (integrity ?? '').split('-');
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') };
}

const installed = installedPackages(root);
const needed = [...installed.values()].filter(({ isForDevelopment }) => !isForDevelopment);
// The same version may be installed in several places.
const components = new Map(
  needed.map((one) => [
    purlOf(one),
    {
      type: 'library',
      'bom-ref': purlOf(one),
      name: one.name,
      version: one.version,
      purl: purlOf(one),
      licenses: [{ expression: one.licence }],
      hashes: [hashOf(one)],
    },
  ]),
);
const needs = (paths) => [
  ...new Set(
    paths
      .map((path) => installed.get(path))
      .filter((one) => one && !one.isForDevelopment)
      .map(purlOf),
  ),
];
const ownRef = purlOf(own);
const id = createHash('sha256').update(lock).digest('hex');

console.log(
  JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      // RFC 9562, version 8: derived from the lock file's hash.
      serialNumber: `urn:uuid:${id.slice(0, 8)}-${id.slice(8, 12)}-8${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}`,
      version: 1,
      metadata: { component: { type: 'application', 'bom-ref': ownRef, name: own.name, version: own.version, purl: ownRef } },
      components: [...components.values()],
      dependencies: [
        {
          ref: ownRef,
          dependsOn: needs(Object.keys({ ...own.dependencies, ...own.optionalDependencies }).map((name) => `node_modules/${name}`)),
        },
        ...needed
          .map((one) => ({ ref: purlOf(one), dependsOn: needs(one.needs) }))
          .filter(({ ref }, at, all) => all.findIndex((other) => other.ref === ref) === at),
      ],
    },
    null,
    1,
  ),
);
