// The world of accounts with browsers at the sandbox's push service.
import type { Viewer } from '#platform/identity.ts';
import { inTransaction } from '#platform/database.ts';
import { postToOwner } from '../../../../subgraphs/accounts/mail/services/mails.ts';
import type { SandboxBrowser } from '../../../../sandbox/push/browsers.ts';
import type { PushVendor } from '../../../../sandbox/push/service.ts';
import { dataOf, startAccounts } from '../world.ts';

export const ADD =
  'mutation ($input: PushDeviceInput!, $former: String) { pushDeviceAdd(input: $input, former: $former) { id name endpointDigest } }';
const SETTINGS = '{ me { push { key limit devices { id name endpointDigest isThisSession createdAt lastDeliveredAt refusedAt } } } }';

interface Device {
  id: string;
  name: string;
  endpointDigest: string;
  isThisSession: boolean;
  createdAt: string;
  lastDeliveredAt: string | null;
  refusedAt: string | null;
}

interface Shown {
  title: string;
  body: string;
  navigate: string;
  lang: string;
  tag: string;
}

export const inputOf = ({ subscription: { endpoint, keys } }: Pick<SandboxBrowser, 'subscription'>) => ({ input: { endpoint, ...keys } });

/** What a browser was told to show. */
export const shown = ({ messages }: SandboxBrowser): Shown[] =>
  messages.map(({ text }) => (JSON.parse(text) as { notification: Shown }).notification);

export async function startPush() {
  const world = await startAccounts({ WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8', PUBLIC_URL: 'https://shop.example' });
  const { push } = world.sandbox;
  const settings = async (viewer: Viewer) =>
    dataOf<{ push: { key: string; limit: number; devices: Device[] } }>(await world.ask(viewer, SETTINGS), 'me').push;
  return {
    ...world,
    push,
    settings,
    device: async (viewer: Viewer) => (await settings(viewer)).devices[0],
    /** A browser that the viewer has switched push on in. */
    async browser(viewer: Viewer, vendor?: PushVendor): Promise<SandboxBrowser> {
      const browser = push.subscribe((await settings(viewer)).key, vendor);
      dataOf(await world.ask(viewer, ADD, inputOf(browser)), 'pushDeviceAdd');
      return browser;
    },
    /** Tells the account that a package is low, and resolves when all that is due was sent. */
    async low(accountId: string, percent = 80, title = 'Premium, 5 GB'): Promise<void> {
      const url = 'https://shop.example/residential';
      await inTransaction(world.context(), (tx) => postToOwner(tx, accountId, 'balance_low', { percent, title, url }));
      await world.platform.queue.drain();
    },
    /** Runs the sweep that runs every minute, and the jobs that it begins. */
    async sweep(): Promise<void> {
      await world.platform.queue.runNow('accounts.push-sweep');
      await world.platform.queue.drain();
    },
  };
}

export type PushWorld = Awaited<ReturnType<typeof startPush>>;
