import { builder } from '../../builder.ts';
import { type NotificationTopic as Topic, TOPICS, termsOf } from '../../mail/domain/notification-topic.ts';
import { chooseNotification } from '../services/notifications.ts';
import { Account } from './account.ts';

export const NotificationTopic = builder.enumType('NotificationTopic', { values: TOPICS });

const NotificationChoice = builder.objectRef<{ topic: Topic; wanted: boolean; pushed: boolean }>('NotificationChoice').implement({
  fields: (t) => ({
    topic: t.expose('topic', { type: NotificationTopic }),
    wanted: t.exposeBoolean('wanted'),
    pushed: t.exposeBoolean('pushed'),
    required: t.boolean({ resolve: ({ topic }) => termsOf(topic).required === true }),
    eventTypes: t.stringList({ resolve: ({ topic }) => [...termsOf(topic).events] }),
  }),
});

builder.objectField(Account, 'notifications', (t) =>
  t.field({
    type: [NotificationChoice],
    authScopes: { session: true },
    resolve: ({ unwantedTopics, unpushedTopics }) =>
      TOPICS.map((topic) => ({ topic, wanted: !unwantedTopics.includes(topic), pushed: !unpushedTopics.includes(topic) })),
  }),
);

builder.mutationField('accountChooseNotification', (t) =>
  t.field({
    type: Account,
    authScopes: { session: true },
    args: { topic: t.arg({ type: NotificationTopic, required: true }), wanted: t.arg.boolean({ required: true }) },
    resolve: (_, { topic, wanted }, ctx) => chooseNotification(ctx, topic, wanted),
  }),
);
