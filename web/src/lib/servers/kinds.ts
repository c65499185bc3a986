// The differences between a VPS and a dedicated server on their common page: queries, sections, rows and texts.
import type { TypedDocumentNode } from '@urql/core';
import type { Component } from 'svelte';
import type { Tone } from '#lib/ui/tone.ts';
import { dedicatedTone, vpsTone } from '#lib/ui/tone.ts';
import {
  DedicatedChanged,
  DedicatedForceStop,
  DedicatedOne,
  DedicatedReboot,
  DedicatedResetPassword,
  DedicatedRevealPassword,
  DedicatedStart,
  DedicatedStop,
  type Dedicated,
} from '#lib/ops/dedicated.ts';
import {
  VpsChanged,
  VpsForceStop,
  VpsOne,
  VpsReboot,
  VpsResetPassword,
  VpsRevealPassword,
  VpsStart,
  VpsStop,
  type Vps,
} from '#lib/ops/vps.ts';
import { t } from '#lib/text/servers.ts';
import type { AnyServer, KindFacts } from './kind-facts.ts';

export interface Kind<Server extends AnyServer, One, Changed> extends KindFacts {
  one: TypedDocumentNode<One, { id: string }>;
  found: (data: One) => Server | undefined;
  changed: TypedDocumentNode<Changed, Record<string, never>>;
  of: (data: Changed) => Server;
  status: (server: Server) => { tone: Tone; label: string };
  /** Labels and values of the server's hardware. */
  hardware: (server: Server) => [string, string][];
  tabs: Record<string, string>;
  /** Sections besides the overview, each loaded when it is first shown: chart, terminal and screen are most of the page's JavaScript. */
  sections: Record<string, () => Promise<{ default: Component<{ server: Server; kind: KindFacts }> }>>;
  /** Sections that are still shown when the server has ended. */
  sectionsOfGone: readonly string[];
}

const inShared = {
  metrics: () => import('./MetricsPanel.svelte'),
  console: () => import('./ConsolePanel.svelte'),
  settings: () => import('./ServerSettings.svelte'),
};

const kind = <Server extends AnyServer, One, Changed>(parts: Kind<Server, One, Changed>) => parts;

export const VPS = kind({
  name: 'VPS',
  text: t.vps,
  gone: 'REMOVED',
  cancelledFrom: 'plan',
  asks: { start: VpsStart, reboot: VpsReboot, stop: VpsStop, force_stop: VpsForceStop, reset_password: VpsResetPassword },
  reveal: VpsRevealPassword,
  one: VpsOne,
  found: ({ server }) => (server.__typename === 'Vps' ? server : undefined),
  changed: VpsChanged,
  of: ({ vpsChanged }): Vps => vpsChanged,
  status: ({ status }) => ({ tone: vpsTone[status], label: t.vps.status[status] }),
  hardware: ({ location, plan: { name, vcpu, ramGb, storageGb } }) => {
    const { facts } = t.server;
    return [
      [facts.plan, `${name}: ${facts.cpu(vcpu)}, ${facts.ram(ramGb)}, ${facts.disk(storageGb)}`],
      [t.vps.order.location, location ?? '…'],
    ];
  },
  tabs: { ...t.vps.tabs, reinstall: t.dedicated.tabs.reinstall, settings: t.serverSettings.tab },
  sections: {
    metrics: inShared.metrics,
    console: inShared.console,
    backups: () => import('./BackupsPanel.svelte'),
    plan: () => import('./PlanPanel.svelte'),
    reinstall: () => import('./ReinstallPanel.svelte'),
    settings: inShared.settings,
  },
  sectionsOfGone: [],
});

export const DEDICATED = kind({
  name: 'DEDICATED',
  text: t.dedicated,
  gone: 'DECOMMISSIONED',
  cancelledFrom: 'overview',
  asks: {
    start: DedicatedStart,
    reboot: DedicatedReboot,
    stop: DedicatedStop,
    force_stop: DedicatedForceStop,
    reset_password: DedicatedResetPassword,
  },
  reveal: DedicatedRevealPassword,
  one: DedicatedOne,
  found: ({ server }) => (server.__typename === 'DedicatedServer' ? server : undefined),
  changed: DedicatedChanged,
  of: ({ dedicatedServerChanged }): Dedicated => dedicatedServerChanged,
  status: ({ status }) => ({ tone: dedicatedTone[status], label: t.dedicated.status[status] }),
  hardware: ({ plan: { name, cores, ramGb, storage } }) => [
    [t.server.facts.plan, name],
    [t.dedicated.hardware, `${t.dedicated.order.cores(cores)}, ${t.server.facts.ram(ramGb)}, ${storage}`],
  ],
  tabs: t.dedicated.tabs,
  sections: {
    metrics: inShared.metrics,
    console: inShared.console,
    reinstall: () => import('./ReinstallPanel.svelte'),
    settings: inShared.settings,
  },
  sectionsOfGone: ['metrics', 'console', 'reinstall', 'settings'],
});
