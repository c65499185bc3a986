export const dedicated = {
  buy: 'Order a dedicated server',
  order: {
    title: 'Order a dedicated server',
    lead: 'The whole machine in Frankfurt with 10 Gbps. Usually ready in under a few hours, at most one business day.',
    held: 'A machine is held for you once you order.',
    cores: (n: number) => `${n} cores`,
  },
  status: {
    PROVISIONING: 'Provisioning',
    ACTIVE: 'Active',
    REINSTALLING: 'Reinstalling',
    SUSPENDED: 'Suspended',
    DECOMMISSIONED: 'Decommissioned',
  },
  tabs: { overview: 'Overview', metrics: 'Metrics', console: 'Console', reinstall: 'Reinstall OS', settings: 'Settings' },
  provisioningTitle: 'Your server is being provisioned',
  provisioningLead:
    'Usually under a few hours, at most one business day. Connection details appear here, and you need not wait on this page.',
  goneTitle: 'This server has been decommissioned',
  goneLead: 'Its disks are wiped. The history stays here to read.',
  endsLead: 'Then the server is decommissioned and its disks are wiped. Until then you can take it back.',
  resetLead: 'The server restarts for a few minutes to get a new generated password; the old one stops working. Its data stays.',
  cancelLead: 'The server runs until the end of the paid period. Then it is decommissioned and all its data is wiped.',
  hardware: 'Hardware',
  reinstall: {
    title: 'Reinstall OS',
    lead: 'Wipes all disks and installs a new system. Typically 10 to 20 minutes. There is no way back.',
    leadVps:
      'Wipes the disk and installs a new system within a minute or two. Addresses and backups stay. There is no way back but a backup.',
    os: 'Operating system',
    password: 'Password',
    passwordHint: (min: number, max: number) =>
      `${min} to ${max} characters with capital and small letters and a digit. Left empty, one is generated.`,
    action: 'Reinstall',
    open: 'Reinstall this server',
    dialogTitle: 'Wipe this server?',
    dialogLead: (system: string) => `Everything on its disks is lost. ${system} is installed.`,
    confirm: (hostname: string) => `Type ${hostname} to confirm`,
  },
  metrics: {
    power: 'Power',
    temperature: 'Air inlet',
    watts: (n: number) => `${Math.round(n)} W`,
    celsius: (n: number) => `${Math.round(n)} °C`,
    lead: 'Measured by the machine’s own controller, whatever system runs on it.',
  },
};
