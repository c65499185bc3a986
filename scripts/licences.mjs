// `npm run --silent licences`: every installed package with its licence, as CSV. Exits with 1 and names the packages with a licence that is not known to be
// allowed for Egress.
import { join } from 'node:path';
import { installedPackages } from './packages.mjs';

/**
 * SPDX: licences that allow to run a program as a service and to distribute it, with a notice at most. MPL-2.0: its files must stay unmodified. OFL-1.1,
 * Bitstream-Vera: fonts that may be embedded. CC-BY-4.0: data, whose source README.md names. Elastic-2.0: the program must not be sold as a managed service;
 * the gateway uses it, and Egress sells proxies and servers.
 */
const ALLOWED = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0', 'Zlib'],
  ...['MPL-2.0', 'OFL-1.1', 'Bitstream-Vera', 'Elastic-2.0', 'Unicode-3.0', 'CC-BY-4.0'],
];

/** "(MIT AND Zlib)": all must be allowed; "(MIT OR CC0-1.0)": one must be. */
const allows = (expression) =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((all) => all.split(' AND ').every((id) => ALLOWED.includes(id.trim())));

const installed = [...installedPackages(process.argv[2] ?? join(import.meta.dirname, '..')).values()];
const row = ({ name, version, licence = 'not said' }) => [name, version, licence].join(',');
console.log(['package,version,licence', ...new Set(installed.map(row).toSorted())].join('\n'));
const refused = installed.filter(({ licence }) => licence === undefined || !allows(licence));
if (refused.length > 0) {
  console.error(`Of these packages no licence is known to be fit (scripts/licences.mjs):\n${refused.map(row).join('\n')}`);
  process.exitCode = 1;
}
