// The part of the configuration for dedicated servers that are managed remotely.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { url } from '#platform/config-values.ts';
import { ownUrl } from '#platform/own-address.ts';
import { vendor } from '#platform/vendors.ts';

export const machineConfiguration = configPart({
  INSTALL_IMAGES_URL: [
    url('http', 'https').optional(),
    'where controllers of dedicated servers fetch URL/debian-13.iso and others; without it the sandbox, or delivery by hand',
  ],
  CONTROLLER_CA_FILE: [z.string().min(1).optional(), 'PEM file of the authorities that sign the certificates of those controllers'],
});

/** What controllers of dedicated servers need to boot media. */
export interface MetalTerms {
  /** The URL of the installers: `<imagesUrl>/debian-13.iso`. */
  imagesUrl: string;
  /** Our own URL, as controllers reach it. */
  seedsUrl: string;
  /** Certificates of the authorities that sign the controllers' certificates, as PEM. */
  authorities?: string;
  /** The port on which a running server answers; absent: 22, and 3389 on Windows. */
  reachPort?: number;
  /** The timeout of a request; absent: 20 s. */
  timeoutMs?: number;
}

/** Without it dedicated servers are delivered by hand. */
export const metalVendor = vendor<MetalTerms>({
  name: 'metal',
  configured(config) {
    const { INSTALL_IMAGES_URL, CONTROLLER_CA_FILE } = machineConfiguration.of(config);
    if (!INSTALL_IMAGES_URL) return undefined;
    return {
      imagesUrl: INSTALL_IMAGES_URL.replace(/\/$/, ''),
      seedsUrl: config.PUBLIC_URL,
      ...(CONTROLLER_CA_FILE !== undefined && { authorities: readFileSync(CONTROLLER_CA_FILE, 'utf8') }),
    };
  },
  played: (sandbox, { HOST, PORT }) => ({
    imagesUrl: `${sandbox.url('redfish')}/images`,
    // The sandbox runs on this machine; PUBLIC_URL may be a name that only resolves outside.
    seedsUrl: ownUrl(HOST, PORT),
    reachPort: sandbox.port('metalGuests'),
  }),
});
