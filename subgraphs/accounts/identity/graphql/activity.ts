import { fail } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import { deviceOf } from '../domain/device.ts';
import { type Activity as ActivityEntity, activityOfAccount } from '../entities/activity.ts';
import { Account } from './account.ts';

const MAX_PAGE_SIZE = 100;

const ActivityActor = builder.enumType('ActivityActor', { values: ['OWNER', 'SUPPORT', 'API_KEY', 'VISITOR', 'PLATFORM'] as const });

const ActivityDetail = builder
  .objectRef<{ name: string; value: string }>('ActivityDetail')
  .implement({ fields: (t) => ({ name: t.exposeString('name'), value: t.exposeString('value') }) });

const Activity = builder.objectRef<ActivityEntity>('Activity').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    type: t.exposeString('type'),
    actor: t.expose('actor', { type: ActivityActor }),
    address: t.exposeString('address', { nullable: true }),
    device: t.string({ nullable: true, resolve: ({ userAgent }) => (userAgent ? deviceOf(userAgent) : null) }),
    subject: t.exposeID('subject'),
    details: t.field({
      type: [ActivityDetail],
      resolve: ({ data }) => Object.entries(data).map(([name, value]) => ({ name, value: String(value) })),
    }),
  }),
});

const ActivityPage = builder.objectRef<{ items: ActivityEntity[]; next: string | null }>('ActivityPage').implement({
  fields: (t) => ({ items: t.expose('items', { type: [Activity] }), next: t.exposeID('next', { nullable: true }) }),
});

builder.objectField(Account, 'activity', (t) =>
  t.field({
    type: ActivityPage,
    authScopes: { session: true },
    args: { first: t.arg.int({ required: true, defaultValue: 25 }), after: t.arg.id() },
    async resolve({ id }, { first, after }, { em }) {
      if (first < 1 || first > MAX_PAGE_SIZE) throw fail('limit_invalid', { field: 'first' });
      const items = await activityOfAccount(em, id, first + 1, after ?? undefined);
      const page = items.slice(0, first);
      return { items: page, next: items.length > first ? (page.at(-1)?.id ?? null) : null };
    },
  }),
);
