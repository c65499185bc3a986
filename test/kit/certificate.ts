import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Writes a self-signed certificate for the host `name`, and its key, to `directory`. Needs `openssl`. */
export function certify(directory: string, name: string, days = 30): { certFile: string; keyFile: string } {
  const files = { certFile: join(directory, `${name}.crt`), keyFile: join(directory, `${name}.key`) };
  const named = ['-days', String(days), '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  execFileSync('openssl', ['req', '-x509', ...CURVE, ...named, '-out', files.certFile, '-keyout', files.keyFile], { stdio: 'ignore' });
  return files;
}
