// The variables by which a node gets its certificate by ACME, beside the platform and elsewhere.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import type { ValuesOf, Variables } from '#platform/config.ts';
import { endpoints, flag } from '#platform/config-values.ts';
import type { ExternalAccount } from './account-key.ts';
import type { Place } from './page-challenges.ts';

const NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]*$/;
/** Certificates of Let's Encrypt have so many at most. */
const MAX_NAMES = 100;

const names = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
  .pipe(
    z
      .array(z.string().refine((name) => NAME.test(name) || isIP(name) !== 0, 'must be host names or addresses, separated by commas'))
      .min(1)
      .max(MAX_NAMES),
  );

export const ACME_VARIABLES = {
  EDGE_ACME_NAMES: [
    names.optional(),
    'host names or addresses that the node orders its certificate for by ACME, and renews it; instead of EDGE_TLS_CERT_FILE',
  ],
  EDGE_ACME_DIRECTORY: [
    z.url({ protocol: /^https$/ }).default('https://acme-v02.api.letsencrypt.org/directory'),
    'the directory of the authority',
  ],
  EDGE_ACME_AGREED: [flag.default(false), "true: the operator agrees to the authority's terms; without it nothing is ordered"],
  EDGE_ACME_CONTACT: [z.email().optional(), 'an address that the authority may write to'],
  EDGE_ACME_HTTP_LISTEN: [
    endpoints.optional(),
    'address:port pairs that port 80 of each name leads to: names are proved by http-01, not by tls-alpn-01 on a TLS port',
  ],
  EDGE_ACME_EAB_KEY_ID: [
    z.string().min(1).optional(),
    'the key of an account outside ACME, where the authority wants one (external account binding)',
  ],
  EDGE_ACME_EAB_HMAC_KEY: [
    z
      .string()
      .regex(/^[A-Za-z0-9_-]+=*$/, 'must be base64url')
      .optional(),
    'the secret of that key',
  ],
  EDGE_ACME_CA_FILE: [z.string().optional(), "PEM file of the roots of the directory's own certificate, for an authority of one's own"],
} as const satisfies Variables;

export interface AcmeSettings {
  names: readonly string[];
  directory: string;
  contact?: string | undefined;
  external?: ExternalAccount | undefined;
  httpListen?: readonly Place[] | undefined;
  /** PEM. */
  ca?: string | undefined;
}

export type AcmeValues = ValuesOf<typeof ACME_VARIABLES>;

/** One sentence per contradiction. */
export function acmeContradictions(values: AcmeValues & { EDGE_TLS_CERT_FILE?: string | undefined }): string[] {
  const { EDGE_ACME_NAMES: ordered, EDGE_ACME_EAB_KEY_ID: keyId, EDGE_ACME_EAB_HMAC_KEY: hmacKey } = values;
  if (!ordered) return [];
  return [
    ...(values.EDGE_TLS_CERT_FILE === undefined ? [] : ['EDGE_ACME_NAMES and EDGE_TLS_CERT_FILE are two certificates: set one of them.']),
    ...(values.EDGE_ACME_AGREED ? [] : ["EDGE_ACME_NAMES needs EDGE_ACME_AGREED=true: the operator agrees to the authority's terms."]),
    ...((keyId === undefined) === (hmacKey === undefined) ? [] : ['EDGE_ACME_EAB_KEY_ID and EDGE_ACME_EAB_HMAC_KEY are set together.']),
  ];
}

/** Undefined: nothing is ordered. Throws when the file of roots cannot be read. */
export function acmeSettings(values: AcmeValues): AcmeSettings | undefined {
  const { EDGE_ACME_NAMES: ordered, EDGE_ACME_EAB_KEY_ID: keyId, EDGE_ACME_EAB_HMAC_KEY: hmacKey, EDGE_ACME_CA_FILE: caFile } = values;
  if (!ordered || !values.EDGE_ACME_AGREED) return undefined;
  return {
    names: ordered,
    directory: values.EDGE_ACME_DIRECTORY,
    contact: values.EDGE_ACME_CONTACT,
    external: keyId !== undefined && hmacKey !== undefined ? { keyId, hmacKey } : undefined,
    httpListen: values.EDGE_ACME_HTTP_LISTEN,
    ca: caFile === undefined ? undefined : readFileSync(caFile, 'utf8'),
  };
}
