import { builder } from '../../builder.ts';
import { NotificationTopic } from '../../identity/graphql/notification.ts';
import { Account } from '../../identity/graphql/account.ts';
import { PUSH } from '../../../../schema/limits.ts';
import { type PushDevice as DeviceEntity, devicesOfAccount } from '../entities/push-device.ts';
import { addDevice, choosePush, removeDevice, testDevice } from '../services/push-devices.ts';
import { publicPushKey } from '../services/push-key.ts';

const PushDevice = builder.objectRef<DeviceEntity>('PushDevice').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    endpointDigest: t.exposeString('endpointDigest'),
    isThisSession: t.boolean({ resolve: ({ sessionId }, _, { viewer }) => viewer.kind === 'session' && viewer.sessionId === sessionId }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastDeliveredAt: t.expose('lastDeliveredAt', { type: 'DateTime', nullable: true }),
    refusedAt: t.expose('refusedAt', { type: 'DateTime', nullable: true }),
  }),
});

const PushSettings = builder.objectRef<{ accountId: string }>('PushSettings').implement({
  fields: (t) => ({
    key: t.string({ resolve: (_, __, ctx) => publicPushKey(ctx) }),
    limit: t.int({ resolve: () => PUSH.devices }),
    devices: t.field({ type: [PushDevice], resolve: ({ accountId }, _, { em }) => devicesOfAccount(em, accountId) }),
  }),
});

const PushDeviceInput = builder.inputType('PushDeviceInput', {
  fields: (t) => ({
    endpoint: t.string({ required: true }),
    p256dh: t.string({ required: true }),
    auth: t.string({ required: true }),
  }),
});

builder.objectField(Account, 'push', (t) =>
  t.field({ type: PushSettings, authScopes: { session: true }, resolve: ({ id }) => ({ accountId: id }) }),
);

builder.mutationFields((t) => ({
  pushDeviceAdd: t.field({
    type: PushDevice,
    authScopes: { session: true },
    args: { input: t.arg({ type: PushDeviceInput, required: true }), former: t.arg.string() },
    resolve: (_, { input, former }, ctx) => addDevice(ctx, input, former ?? undefined),
  }),
  pushDeviceRemove: t.field({
    type: Account,
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => removeDevice(ctx, id),
  }),
  pushDeviceTest: t.field({
    type: PushDevice,
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => testDevice(ctx, id),
  }),
  accountChoosePush: t.field({
    type: Account,
    authScopes: { session: true },
    args: { topic: t.arg({ type: NotificationTopic, required: true }), wanted: t.arg.boolean({ required: true }) },
    resolve: (_, { topic, wanted }, ctx) => choosePush(ctx, topic, wanted),
  }),
}));
