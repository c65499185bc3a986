import type { ReinstallServerInput } from '../client/index.ts';

/** The systems of servers, as the API names them. */
export const SYSTEMS: readonly ReinstallServerInput['os'][] = [
  'ubuntu_24_04',
  'ubuntu_25_04',
  'debian_12',
  'debian_13',
  'windows_server_2022',
];
