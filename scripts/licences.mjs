// `npm run --silent licences`: every installed package with its licence, as CSV. Ends with 1 and names each whose licence is not known to be one that Egress may be
// shipped with.
import { join } from 'node:path';
import { installedPackages } from './packages.mjs';

/**
 * SPDX: those that let a program be run as a service and be handed on, with a notice at most. MPL-2.0: its files stay as they are. OFL-1.1, Bitstream-Vera:
 * fonts that may be embedded. CC-BY-4.0: data, whose source README.md names.
 * Elastic-2.0: not to be sold as a managed service by itself; it is the gateway's, and what Egress sells is proxies and servers.
 */
const ALLOWED = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0', 'Zlib'],
  ...['MPL-2.0', 'OFL-1.1', 'Bitstream-Vera', 'Elastic-2.0', 'Unicode-3.0', 'CC-BY-4.0'],
];

/** "(MIT AND Zlib)": all of them; "(MIT OR CC0-1.0)": one of them. */
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
