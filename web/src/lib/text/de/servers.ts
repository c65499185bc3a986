import type * as en from '../en/servers.ts';
export * from './dedicated.ts';
export * from './vps.ts';

export const servers: typeof en.servers = {
  title: 'Server',
  lead: 'Virtuelle und dedizierte Server in Frankfurt mit 10-Gbit/s-Netz.',
  mine: 'Ihre Server',
  emptyTitle: 'Keine Server in diesem Konto',
  emptyLead: 'Server dieses Kontos erscheinen hier. Tarife und Preise stehen darunter.',
  hostname: 'Hostname',
  allInvoices: 'Alle Rechnungen',
  kind: 'Art',
  power: 'Zustand',
  address: 'IPv4',
  created: 'Erstellt',
  kinds: { Vps: 'VPS', DedicatedServer: 'Dediziert' } as Record<string, string>,
  vps: 'VPS-Tarife',
  vpsLead: 'Jeder mit NVMe-Speicher und einer öffentlichen IPv4-Adresse.',
  dedicated: 'Dedizierte Server',
  dedicatedLead: 'Schnelle Desktop-CPUs, die ganze Maschine.',
  order: 'Bestellen',
  period: 'Bezahlt für',
  months: (n: number) => (n === 1 ? '1 Monat' : `${n} Monate`),
  perMonth: 'im Monat',
  upfront: (total: string, months: number) => (months === 1 ? 'monatlich belastet' : `${total} im Voraus belastet`),
  vcpu: (n: number) => `${n} vCPU`,
  cores: (n: number) => `${n} Kerne`,
  ram: (gb: number) => `${gb} GB RAM`,
  nvme: (gb: number) => `${gb} GB NVMe`,
};
