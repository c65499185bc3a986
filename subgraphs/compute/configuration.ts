// The parts of the configuration that compute reads, one for each noun that has some.
import type { ConfigPart } from '#platform/config.ts';
import { machineConfiguration } from './machines/configuration.ts';
import { networkingConfiguration } from './networking/configuration.ts';
import { serverConfiguration } from './machines/hypervisor-configuration.ts';

export const computeConfiguration: readonly ConfigPart[] = [serverConfiguration, machineConfiguration, networkingConfiguration];
