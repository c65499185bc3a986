// Configuration of the node that runs inside the platform's process. A separate node is configured by `node-configuration.ts`.
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { networks } from '#platform/config-values.ts';
import { ACME_VARIABLES, acmeContradictions } from './acme/acme-setting.ts';
import { LIMITS_MEANING, limitsSetting } from './limits-setting.ts';
import { BLOCKLISTS_MEANING, blocklists } from './rules-file.ts';

export const edgeConfiguration = configPart(
  {
    EDGE_EXITS_FILE: [
      z.string().optional(),
      "JSON file with the exits, read again when it changes; without it the desk's gateways, before those loopback (never in production)",
    ],
    EDGE_TLS_CERT_FILE: [
      z.string().optional(),
      'PEM file of the certificate for PROXY_HTTPS_PORT and STATIC_HTTPS_PORT, with the chain; read again when it changes',
    ],
    EDGE_TLS_KEY_FILE: [z.string().optional(), "PEM file of that certificate's key"],
    ...ACME_VARIABLES,
    EDGE_RULES_FILE: [z.string().optional(), 'JSON file with own rules on targets: networks, ports, names, by product'],
    EDGE_BLOCKLISTS: [blocklists.optional(), BLOCKLISTS_MEANING],
    EDGE_LIMITS: [limitsSetting.optional(), LIMITS_MEANING],
    EDGE_FORBIDDEN_NETWORKS: [
      networks.optional(),
      "the operator's own addresses and networks that no line may reach, beside those of this machine; separated by commas",
    ],
  },
  { refusals: acmeContradictions },
);
