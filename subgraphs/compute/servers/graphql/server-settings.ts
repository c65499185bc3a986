// What owners keep beside a server of either kind.
import { builder } from '../../builder.ts';
import { FIREWALL_ACTIONS, FIREWALL_PROTOCOLS, type FirewallRule as FirewallRuleShape } from '../../networking/domain/firewall.ts';
import type { ServerLabel as ServerLabelShape } from '../domain/server-label.ts';
import type { Firewall as FirewallShape } from '../../networking/services/firewall.ts';
import type { ReverseName as ReverseNameShape } from '../../networking/services/reverse-names.ts';

const WishState = builder.enumType('WishState', { values: ['NONE', 'PENDING', 'SET', 'FAILED'] as const });
const FirewallAction = builder.enumType('FirewallAction', { values: FIREWALL_ACTIONS });
const FirewallProtocol = builder.enumType('FirewallProtocol', { values: FIREWALL_PROTOCOLS });

export const ServerLabel = builder.objectRef<ServerLabelShape>('ServerLabel').implement({
  fields: (t) => ({ key: t.exposeString('key'), value: t.exposeString('value') }),
});

export const ReverseName = builder.objectRef<ReverseNameShape>('ReverseName').implement({
  fields: (t) => ({
    ip: t.exposeString('ip'),
    name: t.exposeString('name', { nullable: true }),
    state: t.expose('state', { type: WishState }),
  }),
});

const FirewallRule = builder.objectRef<FirewallRuleShape>('FirewallRule').implement({
  fields: (t) => ({
    action: t.expose('action', { type: FirewallAction }),
    protocol: t.expose('protocol', { type: FirewallProtocol }),
    ports: t.exposeString('ports', { nullable: true }),
    source: t.exposeString('source', { nullable: true }),
    note: t.exposeString('note', { nullable: true }),
  }),
});

export const Firewall = builder.objectRef<FirewallShape>('Firewall').implement({
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled'),
    rules: t.expose('rules', { type: [FirewallRule] }),
    state: t.expose('state', { type: WishState }),
  }),
});

export const ServerLabelInput = builder.inputType('ServerLabelInput', {
  fields: (t) => ({ key: t.string({ required: true }), value: t.string({ required: true }) }),
});

export const FirewallRuleInput = builder.inputType('FirewallRuleInput', {
  fields: (t) => ({
    action: t.field({ type: FirewallAction, required: true }),
    protocol: t.field({ type: FirewallProtocol, required: true }),
    ports: t.string(),
    source: t.string(),
    note: t.string(),
  }),
});
