// The certificate of the ports where customers speak TLS to the proxy itself. Renewed files are loaded without a restart.
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
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

const hasCertificate = ({ certFile, keyFile }: CertificateFiles): boolean => existsSync(certFile) && existsSync(keyFile);

/** When the first certificate in the file expires. */
export const endOfCertificate = (certFile: string): Date => new Date(new X509Certificate(readFileSync(certFile)).validTo);

export interface CertificateWatch {
  /** Checks the files now. */
  look(): void;
  stop(): void;
}

/** Takes up the certificate of these files, and each that replaces it. `ordered`: they may come later. Throws as reading does. */
export function followCertificate(
  { ordered = false, ...files }: CertificateFiles & { ordered?: boolean | undefined },
  log: Log,
  taken: (certificate: Certificate) => void,
): CertificateWatch {
  if (!ordered || hasCertificate(files)) taken(readCertificate(files));
  return watchCertificate(files, log, taken);
}

/** Checks the files every `everyMs` and calls `renewed` when they have changed. They may come later. */
export function watchCertificate(
  files: CertificateFiles,
  log: Log,
  renewed: (certificate: Certificate) => void,
  everyMs = MINUTE,
): CertificateWatch {
  const ageOf = () => Math.max(...[files.certFile, files.keyFile].map((file) => statSync(file).mtimeMs));
  let known = hasCertificate(files) ? ageOf() : undefined;
  const look = () => {
    try {
      if (known === undefined && !hasCertificate(files)) return;
      const age = ageOf();
      if (age === known) return;
      renewed(readCertificate(files));
      known = age;
    } catch (error) {
      // A file is half written or missing: keep the current certificate and try again at the next check.
      log.warn({ error: String(error) }, 'the certificate cannot be renewed');
    }
  };
  const timer = setInterval(look, everyMs).unref();
  return { look, stop: () => clearInterval(timer) };
}
