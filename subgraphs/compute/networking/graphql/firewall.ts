// The firewall of a server of either kind, as its owner wants it.
import { SERVER_ACCESS, builder } from '../../builder.ts';
import { Server } from '../../servers/graphql/server.ts';
import { FIREWALL_ACTIONS, FIREWALL_PROTOCOLS, type FirewallRule as FirewallRuleShape } from '../domain/firewall.ts';
import { type Firewall as FirewallShape, firewall, setFirewall } from '../services/firewall.ts';
import { WISH_STATES } from '../domain/wish-state.ts';

export const WishState = builder.enumType('WishState', { values: WISH_STATES });
const FirewallAction = builder.enumType('FirewallAction', { values: FIREWALL_ACTIONS });
const FirewallProtocol = builder.enumType('FirewallProtocol', { values: FIREWALL_PROTOCOLS });

const FirewallRule = builder.objectRef<FirewallRuleShape>('FirewallRule').implement({
  fields: (t) => ({
    action: t.expose('action', { type: FirewallAction }),
    protocol: t.expose('protocol', { type: FirewallProtocol }),
    ports: t.exposeString('ports', { nullable: true }),
    source: t.exposeString('source', { nullable: true }),
    note: t.exposeString('note', { nullable: true }),
  }),
});

const Firewall = builder.objectRef<FirewallShape>('Firewall').implement({
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled'),
    rules: t.expose('rules', { type: [FirewallRule] }),
    state: t.expose('state', { type: WishState }),
  }),
});

const FirewallRuleInput = builder.inputType('FirewallRuleInput', {
  fields: (t) => ({
    action: t.field({ type: FirewallAction, required: true }),
    protocol: t.field({ type: FirewallProtocol, required: true }),
    ports: t.string(),
    source: t.string(),
    note: t.string(),
  }),
});

builder.interfaceField(Server, 'firewall', (t) => t.field({ type: Firewall, resolve: (server, _args, ctx) => firewall(ctx, server) }));

builder.mutationField('serverSetFirewall', (t) =>
  t.field({
    type: Server,
    authScopes: SERVER_ACCESS,
    args: {
      id: t.arg.id({ required: true }),
      enabled: t.arg.boolean({ required: true }),
      rules: t.arg({ type: [FirewallRuleInput], required: true }),
    },
    resolve: (_root, { id, enabled, rules }, ctx) =>
      setFirewall(ctx, id, {
        enabled,
        rules: rules.map(({ ports, source, note, ...rule }) => ({
          ...rule,
          ports: ports ?? null,
          source: source ?? null,
          note: note ?? null,
        })),
      }),
  }),
);
