// The places of the dashboard: side bar, palette, shortcuts and help read this table.
import CreditCard from '@lucide/svelte/icons/credit-card';
import Globe from '@lucide/svelte/icons/globe';
import House from '@lucide/svelte/icons/house';
import KeyRound from '@lucide/svelte/icons/key-round';
import LifeBuoy from '@lucide/svelte/icons/life-buoy';
import Network from '@lucide/svelte/icons/network';
import ServerIcon from '@lucide/svelte/icons/server';
import Settings from '@lucide/svelte/icons/settings';
import { mayOpen } from '#lib/acting.svelte.ts';
import { caller } from '#lib/caller.svelte.ts';
import { t } from '#lib/text/index.ts';

export interface Place {
  href: string;
  label: string;
  icon: typeof House;
  /** The key to press after `g`. */
  key: string;
}

const everybody: readonly Place[] = [
  { href: '/home', label: t.shell.nav.home, icon: House, key: 'h' },
  { href: '/residential', label: t.shell.nav.residential, icon: Globe, key: 'r' },
  { href: '/static', label: t.shell.nav.static, icon: Network, key: 'i' },
  { href: '/servers', label: t.shell.nav.servers, icon: ServerIcon, key: 's' },
  { href: '/billing', label: t.shell.nav.billing, icon: CreditCard, key: 'b' },
  { href: '/developers', label: t.shell.nav.developers, icon: KeyRound, key: 'd' },
  { href: '/settings', label: t.shell.nav.settings, icon: Settings, key: 't' },
];
const staff: readonly Place[] = [...everybody, { href: '/support', label: t.shell.nav.support, icon: LifeBuoy, key: 'p' }];

/** The places of the present reader; a component that reads it is updated when they change. */
export const places = (): readonly Place[] => (caller.staff ? staff : everybody).filter(({ href }) => mayOpen(href));
