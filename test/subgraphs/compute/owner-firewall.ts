// Firewall rules as the owner of a VPS or a dedicated server sets and sees them.
import { sessionOf } from '../../kit/platform.ts';
import type { MetalWorld } from './metal-world.ts';

export const owner = sessionOf('acct_owner');
export const other = sessionOf('acct_other');
export const SSH = { action: 'ACCEPT', protocol: 'TCP', ports: '22', source: '198.51.100.0/24', note: 'office' };
export const WEB = { action: 'ACCEPT', protocol: 'TCP', ports: '80-443' };

/** Sets and reads the firewall rules of a server as its owner. */
export const firewallOf = (world: () => Pick<MetalWorld, 'ask'>, id: () => string) => ({
  async set(enabled: boolean, rules: object[], viewer = owner) {
    const { errors } = await world().ask(
      viewer,
      'mutation ($id: ID!, $enabled: Boolean!, $rules: [FirewallRuleInput!]!) { serverSetFirewall(id: $id, enabled: $enabled, rules: $rules) { id } }',
      { id: id(), enabled, rules },
    );
    return errors?.[0]?.message;
  },
  async state() {
    const query = 'query ($id: ID!) { server(id: $id) { firewall { state enabled rules { ports } } } }';
    const { data } = await world().ask(owner, query, { id: id() });
    return (data as { server: { firewall: { state: string; enabled: boolean; rules: object[] } } }).server.firewall;
  },
});
