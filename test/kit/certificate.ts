import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A self-signed certificate of `name` with its key, as files of `directory`. */
export function certify(directory: string, name: string, days = 30): { certFile: string; keyFile: string } {
  const files = { certFile: join(directory, `${name}.crt`), keyFile: join(directory, `${name}.key`) };
  const named = ['-days', String(days), '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  execFileSync('openssl', ['req', '-x509', ...CURVE, ...named, '-out', files.certFile, '-keyout', files.keyFile], { stdio: 'ignore' });
  return files;
}
