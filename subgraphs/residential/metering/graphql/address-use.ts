// Who used an address at a time, for staff only.
import { ADDRESS_USE_MINUTES } from '../../../../schema/limits.ts';
import { fail } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import { visiblePlan } from '../../plans/services/visible-plan.ts';
import type { AddressUse as Use, UsedHost } from '../domain/address-use.ts';
import { findAddressUse } from '../services/find-address-use.ts';
import { ResidentialPlan } from '../../plans/graphql/residential-plan.ts';

const AddressUseHost = builder.objectRef<UsedHost>('AddressUseHost').implement({
  fields: (t) => ({
    host: t.exposeString('host', { nullable: true }),
    firstAt: t.expose('firstAt', { type: 'DateTime' }),
    lastAt: t.expose('lastAt', { type: 'DateTime' }),
    upBytes: t.expose('upBytes', { type: 'Bytes' }),
    downBytes: t.expose('downBytes', { type: 'Bytes' }),
  }),
});

const AddressUse = builder.objectRef<Use>('AddressUse').implement({
  fields: (t) => ({
    plan: t.field({
      type: ResidentialPlan,
      resolve: async ({ planId }, _args, ctx) => {
        const plan = await visiblePlan(ctx, planId);
        if (!plan) throw fail('plan_not_found');
        return plan;
      },
    }),
    session: t.exposeString('session', { nullable: true }),
    client: t.exposeString('client', { nullable: true }),
    exit: t.exposeString('exit'),
    address: t.exposeString('address', { nullable: true }),
    firstAt: t.expose('firstAt', { type: 'DateTime' }),
    lastAt: t.expose('lastAt', { type: 'DateTime' }),
    upBytes: t.expose('upBytes', { type: 'Bytes' }),
    downBytes: t.expose('downBytes', { type: 'Bytes' }),
    hosts: t.field({
      type: [AddressUseHost],
      args: { first: t.arg.int({ required: true, defaultValue: 20 }) },
      resolve: ({ hosts }, { first }) => hosts.slice(0, Math.max(0, first)),
    }),
    hostCount: t.int({ resolve: ({ hosts }) => hosts.length }),
  }),
});

builder.queryField('supportAddressUse', (t) =>
  t.field({
    type: [AddressUse],
    authScopes: { staff: 'address_use' },
    args: {
      address: t.arg.string({ required: true }),
      at: t.arg({ type: 'DateTime', required: true }),
      minutes: t.arg.int({ required: true, defaultValue: ADDRESS_USE_MINUTES.default }),
    },
    resolve: (_root, question, ctx) => findAddressUse(ctx, question),
  }),
);
