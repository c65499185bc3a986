// Where the certificate of a node's TLS ports comes from: files that the operator renews, or orders by ACME. The same for nodes elsewhere and beside the platform.
import { join } from 'node:path';
import { type AcmeValues, acmeSettings } from './acme/acme-setting.ts';
import type { CertificateKeeper, CertificateKeeperOptions } from './acme/certificate-keeper.ts';
import { CertificateStore } from './acme/certificate-store.ts';
import type { CertificateFiles } from './certificate.ts';

type CertificateValues = AcmeValues & { EDGE_TLS_CERT_FILE?: string | undefined; EDGE_TLS_KEY_FILE?: string | undefined };

const storeIn = (dataDir: string) => new CertificateStore(join(dataDir, 'edge', 'acme'));

/** The files; `ordered`: the node orders the certificate, and they may come later. Undefined: there is none. */
export function certificateFiles(values: CertificateValues, dataDir: string): (CertificateFiles & { ordered?: boolean }) | undefined {
  const { EDGE_TLS_CERT_FILE: certFile, EDGE_TLS_KEY_FILE: keyFile } = values;
  if (acmeSettings(values)) return { ...storeIn(dataDir).files, ordered: true };
  return certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined;
}

/** Orders the certificate and renews it, where it is ordered; otherwise undefined, and nothing of ACME is loaded. */
export async function orderCertificate(
  values: CertificateValues,
  dataDir: string,
  means: Pick<CertificateKeeperOptions, 'user' | 'clock' | 'log'>,
): Promise<CertificateKeeper | undefined> {
  const settings = acmeSettings(values);
  if (!settings) return undefined;
  const { keepCertificate } = await import('./acme/certificate-keeper.ts');
  return keepCertificate({ settings, store: storeIn(dataDir), ...means });
}
