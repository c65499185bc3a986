// The part of the configuration for reverse DNS, and for the router in front of dedicated servers.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { url } from '#platform/config-values.ts';
import { vendor } from '#platform/vendors.ts';

export const networkingConfiguration = configPart(
  {
    POWERDNS_URL: [
      url('http', 'https').optional(),
      'PowerDNS Authoritative Server with the reverse zones, as https://HOST:8081; without it addresses have no names, or the sandbox plays it',
    ],
    POWERDNS_API_KEY: [z.string().min(1).optional(), 'its API key'],
    POWERDNS_SERVER_ID: [z.string().min(1).default('localhost'), 'its name in its own API; default localhost'],
    VYOS_URL: [
      url('http', 'https').optional(),
      'VyOS 1.4 router in front of dedicated servers, as https://HOST; without it they have no firewall of ours, or the sandbox plays it',
    ],
    VYOS_KEY: [z.string().min(1).optional(), 'a key of its HTTP API'],
    POWERDNS_CA_FILE: [z.string().min(1).optional(), 'PEM file of the authorities that sign the certificate of PowerDNS'],
    VYOS_CA_FILE: [z.string().min(1).optional(), 'PEM file of the authorities that sign the certificate of the router'],
  },
  { requires: { POWERDNS_URL: ['POWERDNS_API_KEY'], VYOS_URL: ['VYOS_KEY'] } },
);

const trusting = (file: string | undefined): { authorities?: string } =>
  file === undefined ? {} : { authorities: readFileSync(file, 'utf8') };

/** A PowerDNS Authoritative Server that has the reverse zones. */
export interface NameServerTerms {
  url: string;
  apiKey: string;
  /** The server's id in the API: `localhost`. */
  serverId: string;
  /** Certificates of the authorities that sign its certificate, as PEM; absent: the usual public ones. */
  authorities?: string;
  timeoutMs?: number;
}

/** Without a name server the addresses of servers have no reverse names. */
export const nameServerVendor = vendor<NameServerTerms>({
  name: 'names',
  configured(config) {
    const { POWERDNS_URL, POWERDNS_API_KEY: apiKey, POWERDNS_SERVER_ID: serverId, POWERDNS_CA_FILE } = networkingConfiguration.of(config);
    return POWERDNS_URL && apiKey ? { url: POWERDNS_URL.replace(/\/$/, ''), apiKey, serverId, ...trusting(POWERDNS_CA_FILE) } : undefined;
  },
  played: (sandbox, config) => ({
    url: sandbox.url('names'),
    apiKey: sandbox.accepts('nameServerKey'),
    serverId: networkingConfiguration.of(config).POWERDNS_SERVER_ID,
  }),
});

/** A VyOS router in front of dedicated servers. */
export interface RouterTerms {
  url: string;
  key: string;
  /** Certificates of the authorities that sign its certificate, as PEM; absent: the usual public ones. */
  authorities?: string;
  /** The timeout of a request; absent: 20 s. */
  timeoutMs?: number;
}

/** Without a router dedicated servers have no firewall of ours. */
export const routerVendor = vendor<RouterTerms>({
  name: 'border',
  configured(config) {
    const { VYOS_URL, VYOS_KEY: key, VYOS_CA_FILE } = networkingConfiguration.of(config);
    return VYOS_URL && key ? { url: VYOS_URL.replace(/\/$/, ''), key, ...trusting(VYOS_CA_FILE) } : undefined;
  },
  played: (sandbox) => ({ url: sandbox.url('router'), key: sandbox.accepts('routerKey') }),
});
