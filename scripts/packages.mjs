// The installed packages of a folder's lock file, with their licences: `licences` and `sbom` print them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences read in packages whose package.json names none in SPDX. */
const READ = { 'dejavu-fonts-ttf': 'Bitstream-Vera', 'png-js': 'MIT', 'svelte-toolbelt': 'MIT' };

const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));

/**
 * path in node_modules -> { name, version, licence, integrity, isForDevelopment, needs: paths }. `licence` is SPDX, or undefined when the package names none.
 */
export function installedPackages(root) {
  const { packages } = readJson(root, 'package-lock.json');
  const isInstalled = (path) => path !== '' && existsSync(join(root, path, 'package.json'));
  // As Node resolves it: beside the requiring package, then in each folder above.
  const resolve = (from, name) => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const path = `${folder && `${folder}/`}node_modules/${name}`;
      if (isInstalled(path)) return path;
      if (folder === '' || !folder.includes('/node_modules/'))
        return isInstalled(`node_modules/${name}`) ? `node_modules/${name}` : undefined;
    }
  };
  const paths = Object.keys(packages).filter(isInstalled);
  return new Map(
    paths.map((path) => {
      const { name, version, license } = readJson(root, path, 'package.json');
      const { integrity, dev, devOptional, dependencies, optionalDependencies, peerDependencies } = packages[path];
      const needs = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).map((needed) => resolve(path, needed));
      const licence = READ[name] ?? (typeof license === 'string' ? license : undefined);
      return [path, { name, version, licence, integrity, isForDevelopment: Boolean(dev ?? devOptional), needs: needs.filter(Boolean) }];
    }),
  );
}
