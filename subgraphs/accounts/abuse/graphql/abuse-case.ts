// Abuse cases. Every field is for staff alone.
import { ADDRESS_USE_MINUTES } from '../../../../schema/limits.ts';
import { builder } from '../../builder.ts';
import { accountsWithIds } from '../../identity/entities/account.ts';
import { Account } from '../../identity/graphql/account.ts';
import { ABUSE_ENTRY_KINDS, ABUSE_KINDS, ABUSE_STATES, type AbuseLine, writePack } from '../domain/abuse-case.ts';
import type { AbuseCase as CaseEntity } from '../entities/abuse-case.ts';
import { type AbuseEntry as EntryEntity, entriesOfCase } from '../entities/abuse-entry.ts';
import {
  closeAbuseCase,
  findAbuseCase,
  listAbuseCases,
  noteOnAbuseCase,
  openAbuseCase,
  reopenAbuseCase,
  warnOfAbuse,
} from '../services/abuse-cases.ts';

const AbuseKind = builder.enumType('AbuseKind', { values: ABUSE_KINDS });
const AbuseCaseState = builder.enumType('AbuseCaseState', { values: ABUSE_STATES });
const AbuseEntryKind = builder.enumType('AbuseEntryKind', { values: ABUSE_ENTRY_KINDS });

const AbuseEntryLine = builder.objectRef<AbuseLine>('AbuseEntryLine').implement({
  fields: (t) => ({ at: t.field({ type: 'DateTime', resolve: ({ at }) => new Date(at) }), text: t.exposeString('text') }),
});

const AbuseEntry = builder.objectRef<EntryEntity>('AbuseEntry').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    by: t.exposeID('by', { nullable: true }),
    kind: t.expose('kind', { type: AbuseEntryKind }),
    accountId: t.exposeID('accountId', { nullable: true }),
    title: t.exposeString('title'),
    lines: t.field({ type: [AbuseEntryLine], resolve: ({ lines }) => lines }),
  }),
});

const AbuseCase = builder.objectRef<CaseEntity>('AbuseCase').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    state: t.expose('state', { type: AbuseCaseState }),
    kind: t.expose('kind', { type: AbuseKind }),
    reporter: t.exposeString('reporter'),
    complaint: t.exposeString('complaint'),
    address: t.exposeString('address', { nullable: true }),
    happenedAt: t.expose('happenedAt', { type: 'DateTime', nullable: true }),
    minutes: t.exposeInt('minutes', { nullable: true }),
    openedBy: t.exposeID('openedBy'),
    openedAt: t.expose('openedAt', { type: 'DateTime' }),
    respondBy: t.expose('respondBy', { type: 'DateTime', nullable: true }),
    overdue: t.boolean({ resolve: ({ respondBy }, _, { clock }) => respondBy != null && respondBy < clock.now() }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
    accounts: t.field({
      type: [Account],
      resolve: async ({ id }, _, { em }) => {
        const entries = await entriesOfCase(em, id);
        return accountsWithIds(em, [...new Set(entries.flatMap(({ accountId }) => accountId ?? []))]);
      },
    }),
    entries: t.field({ type: [AbuseEntry], resolve: ({ id }, _, { em }) => entriesOfCase(em, id) }),
    pack: t.string({
      resolve: async (abuse, _, { em, providers, clock }) =>
        writePack(abuse, await entriesOfCase(em, abuse.id), providers.seller.name, clock.now()),
    }),
  }),
});

const AbuseCaseOpenInput = builder.inputType('AbuseCaseOpenInput', {
  fields: (t) => ({
    reporter: t.string({ required: true }),
    kind: t.field({ type: AbuseKind, required: true }),
    complaint: t.string(),
    address: t.string(),
    happenedAt: t.field({ type: 'DateTime' }),
    minutes: t.int({ required: true, defaultValue: ADDRESS_USE_MINUTES.default }),
  }),
});

builder.queryFields((t) => ({
  supportAbuseCases: t.field({
    type: [AbuseCase],
    authScopes: { staff: 'abuse' },
    args: { open: t.arg.boolean({ required: true, defaultValue: true }) },
    resolve: (_, { open }, ctx) => listAbuseCases(ctx, open),
  }),
  supportAbuseCase: t.field({
    type: AbuseCase,
    authScopes: { staff: 'abuse' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => findAbuseCase(ctx, id),
  }),
}));

builder.mutationFields((t) => ({
  supportAbuseCaseOpen: t.field({
    type: AbuseCase,
    authScopes: { staff: 'abuse' },
    args: { input: t.arg({ type: AbuseCaseOpenInput, required: true }) },
    resolve: (_, { input }, ctx) => openAbuseCase(ctx, input),
  }),
  supportAbuseCaseNote: t.field({
    type: AbuseCase,
    authScopes: { staff: 'abuse' },
    args: { id: t.arg.id({ required: true }), text: t.arg.string({ required: true }), accountId: t.arg.id() },
    resolve: (_, input, ctx) => noteOnAbuseCase(ctx, input),
  }),
  supportAbuseCaseWarn: t.field({
    type: AbuseCase,
    authScopes: { staff: 'abuse' },
    args: {
      id: t.arg.id({ required: true }),
      accountId: t.arg.id({ required: true }),
      message: t.arg.string({ required: true }),
      days: t.arg.int({ required: true, defaultValue: 3 }),
    },
    resolve: (_, input, ctx) => warnOfAbuse(ctx, input),
  }),
  supportAbuseCaseClose: t.field({
    type: AbuseCase,
    authScopes: { staff: 'abuse' },
    args: { id: t.arg.id({ required: true }), outcome: t.arg.string({ required: true }) },
    resolve: (_, input, ctx) => closeAbuseCase(ctx, input),
  }),
  supportAbuseCaseReopen: t.field({
    type: AbuseCase,
    authScopes: { staff: 'abuse' },
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_, input, ctx) => reopenAbuseCase(ctx, input),
  }),
}));
