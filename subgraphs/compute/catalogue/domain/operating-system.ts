// Spec, VPS options: two Ubuntu-family and two Debian-family releases, or Windows Server 2022. Linux images use a user named after the image family.
export const OPERATING_SYSTEMS = {
  UBUNTU_24_04: { name: 'Ubuntu 24.04 LTS', image: 'ubuntu-24-04', loginName: 'ubuntu', reachPort: 22 },
  UBUNTU_25_04: { name: 'Ubuntu 25.04', image: 'ubuntu-25-04', loginName: 'ubuntu', reachPort: 22 },
  DEBIAN_12: { name: 'Debian 12', image: 'debian-12', loginName: 'debian', reachPort: 22 },
  DEBIAN_13: { name: 'Debian 13', image: 'debian-13', loginName: 'debian', reachPort: 22 },
  WINDOWS_SERVER_2022: { name: 'Windows Server 2022', image: 'windows-2022', loginName: 'Administrator', reachPort: 3389 },
} as const;

export type OperatingSystem = keyof typeof OPERATING_SYSTEMS;
export const OPERATING_SYSTEM_CODES = Object.keys(OPERATING_SYSTEMS) as [OperatingSystem, ...OperatingSystem[]];
