import { type IdPage, pageById } from '#platform/id-page.ts';
import { isId } from '#platform/ids.ts';
import { builder } from '../../builder.ts';
import { deviceOf } from '../domain/device.ts';
import { ACTIVITY_ACTORS, type Activity as ActivityEntity, activityOfAccount } from '../entities/activity.ts';
import { addressOf } from '../entities/account.ts';
import { Account } from './account.ts';

const ActivityActor = builder.enumType('ActivityActor', { values: ACTIVITY_ACTORS });

const ActivityDetail = builder
  .objectRef<{ name: string; value: string }>('ActivityDetail')
  .implement({ fields: (t) => ({ name: t.exposeString('name'), value: t.exposeString('value') }) });

const Activity = builder.objectRef<ActivityEntity>('Activity').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    type: t.exposeString('type'),
    actor: t.expose('actor', { type: ActivityActor }),
    member: t.string({
      nullable: true,
      resolve: ({ actor, actorId, accountId }, _args, { em }) =>
        actor === 'OWNER' && actorId && isId('acct', actorId) && actorId !== accountId ? addressOf(em, actorId) : null,
    }),
    address: t.exposeString('address', { nullable: true }),
    device: t.string({ nullable: true, resolve: ({ userAgent }) => (userAgent ? deviceOf(userAgent) : null) }),
    subject: t.exposeID('subject'),
    details: t.field({
      type: [ActivityDetail],
      resolve: ({ data }) => Object.entries(data).map(([name, value]) => ({ name, value: String(value) })),
    }),
  }),
});

const ActivityPage = builder.objectRef<IdPage<ActivityEntity>>('ActivityPage').implement({
  fields: (t) => ({ items: t.expose('items', { type: [Activity] }), next: t.exposeID('next', { nullable: true }) }),
});

builder.objectField(Account, 'activity', (t) =>
  t.field({
    type: ActivityPage,
    authScopes: { session: 'team' },
    args: { first: t.arg.int({ required: true, defaultValue: 25 }), after: t.arg.id() },
    resolve: ({ id }, asked, { em }) => pageById(asked, (limit, after) => activityOfAccount(em, id, limit, after)),
  }),
);
