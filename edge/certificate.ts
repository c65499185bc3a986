// The certificate of the ports where customers speak TLS to the proxy itself. Renewed files are loaded without a restart.
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { MINUTE } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

export interface CertificateFiles {
  /** PEM, with the chain. */
  certFile: string;
  keyFile: string;
}

export interface Certificate {
  cert: string;
  key: string;
}

/** Throws when a file cannot be read, or the two do not belong together. */
export function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  const certificate = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  createSecureContext(certificate);
  return certificate;
}

/** When the first certificate in the file expires. */
export const endOfCertificate = (certFile: string): Date => new Date(new X509Certificate(readFileSync(certFile)).validTo);

/** Checks the files every `everyMs` and calls `renewed` when they have changed. Returns a function that stops it. */
export function watchCertificate(
  files: CertificateFiles,
  log: Log,
  renewed: (certificate: Certificate) => void,
  everyMs = MINUTE,
): () => void {
  const ageOf = () => Math.max(statSync(files.certFile).mtimeMs, statSync(files.keyFile).mtimeMs);
  let known = ageOf();
  const timer = setInterval(() => {
    try {
      const age = ageOf();
      if (age === known) return;
      renewed(readCertificate(files));
      known = age;
    } catch (error) {
      // A file is half written or missing: keep the current certificate and try again at the next check.
      log.warn({ error: String(error) }, 'the certificate cannot be renewed');
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
