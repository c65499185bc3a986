import type { IdPage } from '#platform/id-page.ts';
import { builder } from '../../builder.ts';
import { existingAccount } from '../../identity/entities/account.ts';
import { Account } from '../../identity/graphql/account.ts';
import type { StaffAct as StaffActEntity } from '../entities/staff-act.ts';
import { type StaffActsPart as StaffActsPartShape, staffActs, staffActsPart } from '../services/staff-acts.ts';

const StaffActWord = builder
  .objectRef<{ name: string; value: string }>('StaffActWord')
  .implement({ fields: (t) => ({ name: t.exposeString('name'), value: t.exposeString('value') }) });

const StaffAct = builder.objectRef<StaffActEntity>('StaffAct').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    by: t.field({ type: Account, resolve: ({ accountId }, _, { em }) => existingAccount(em, accountId) }),
    act: t.exposeString('act'),
    permission: t.exposeString('permission'),
    given: t.field({ type: [StaffActWord], resolve: ({ given }) => Object.entries(given).map(([name, value]) => ({ name, value })) }),
    address: t.exposeString('address'),
    requestId: t.exposeString('requestId'),
  }),
});

const StaffActPage = builder.objectRef<IdPage<StaffActEntity>>('StaffActPage').implement({
  fields: (t) => ({ items: t.expose('items', { type: [StaffAct] }), next: t.exposeID('next', { nullable: true }) }),
});

const StaffActsPart = builder
  .objectRef<StaffActsPartShape>('StaffActsPart')
  .implement({ fields: (t) => ({ text: t.exposeString('text'), next: t.exposeID('next', { nullable: true }) }) });

const StaffActFilter = builder.inputType('StaffActFilter', {
  fields: (t) => ({
    by: t.id(),
    act: t.string(),
    permission: t.string(),
    about: t.string(),
    from: t.field({ type: 'Date' }),
    to: t.field({ type: 'Date' }),
  }),
});

builder.queryFields((t) => ({
  supportStaffActs: t.field({
    type: StaffActPage,
    authScopes: { staff: 'audit' },
    args: {
      filter: t.arg({ type: StaffActFilter }),
      first: t.arg.int({ required: true, defaultValue: 25 }),
      after: t.arg.id(),
    },
    resolve: (_, { filter, ...asked }, ctx) => staffActs(ctx, filter ?? {}, asked),
  }),
  supportStaffActsExport: t.field({
    type: StaffActsPart,
    authScopes: { staff: 'audit' },
    args: { from: t.arg({ type: 'Date', required: true }), to: t.arg({ type: 'Date', required: true }), after: t.arg.id() },
    resolve: (_, request, ctx) => staffActsPart(ctx, request),
  }),
}));
