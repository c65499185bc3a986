import { execFileSync } from 'node:child_process';
import { isIP } from 'node:net';
import { join } from 'node:path';

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Writes a self-signed certificate for the hosts or addresses `names`, and its key, to `directory`, in files of the first one. Needs `openssl`. */
export function certify(directory: string, names: string | [string, ...string[]], days = 30): { certFile: string; keyFile: string } {
  const all = [names].flat();
  const [name = ''] = all;
  const files = { certFile: join(directory, `${name}.crt`), keyFile: join(directory, `${name}.key`) };
  const named = [
    '-days',
    String(days),
    '-subj',
    `/CN=${name}`,
    '-addext',
    `subjectAltName=${all.map((each) => `${isIP(each) === 0 ? 'DNS' : 'IP'}:${each}`).join(',')}`,
  ];
  execFileSync('openssl', ['req', '-x509', ...CURVE, ...named, '-out', files.certFile, '-keyout', files.keyFile], { stdio: 'ignore' });
  return files;
}
