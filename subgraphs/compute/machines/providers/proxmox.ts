// Proxmox VE as the hypervisor. Templates are named `egress-<image>`; every node that may build has one of each image.
import type { HypervisorTerms } from '../hypervisor-configuration.ts';
import type { Hypervisor } from './hypervisor.ts';
import { backupsOf } from './proxmox/backups.ts';
import { checkOf } from './proxmox/check.ts';
import { ProxmoxClient } from './proxmox/client.ts';
import { consolesOf } from './proxmox/consoles.ts';
import { firewallOf } from './proxmox/firewall.ts';
import { machinesOf } from './proxmox/machines.ts';
import { settingsOf } from './proxmox/settings.ts';
import { templatesOf } from './proxmox/templates.ts';
import { useOf } from './proxmox/use.ts';

export function createProxmox(terms: HypervisorTerms): { hypervisor: Hypervisor; close(): Promise<void> } {
  const client = new ProxmoxClient(terms);
  const hypervisor: Hypervisor = {
    ...machinesOf(client),
    ...settingsOf(client),
    ...firewallOf(client),
    ...backupsOf(client),
    ...useOf(client),
    ...consolesOf(client),
    ...checkOf(client),
    ...templatesOf(client),
    work: (id) => client.task(id),
  };
  return { hypervisor, close: () => client.close() };
}
