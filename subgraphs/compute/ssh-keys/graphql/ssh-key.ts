import { accountOf } from '#platform/context.ts';
import { SERVER_ACCESS, SERVER_SIGHT, builder } from '../../builder.ts';
import { type SshKeyRow, sshKeysOf } from '../entities/ssh-key.ts';
import { addSshKey, removeSshKey, renameSshKey } from '../services/ssh-keys.ts';

const SshKey = builder.objectRef<SshKeyRow>('SshKey').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    publicKey: t.exposeString('publicKey'),
    fingerprint: t.exposeString('fingerprint'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

builder.queryField('sshKeys', (t) =>
  t.field({ nullable: true, type: [SshKey], authScopes: SERVER_SIGHT, resolve: (_root, _args, ctx) => sshKeysOf(ctx.em, accountOf(ctx)) }),
);

builder.mutationFields((t) => ({
  sshKeyAdd: t.field({
    type: SshKey,
    authScopes: SERVER_ACCESS,
    args: { name: t.arg.string(), publicKey: t.arg.string({ required: true }) },
    resolve: (_root, { name, publicKey }, ctx) => addSshKey(ctx, { name: name ?? null, publicKey }),
  }),
  sshKeyRename: t.field({
    type: SshKey,
    authScopes: SERVER_ACCESS,
    args: { id: t.arg.id({ required: true }), name: t.arg.string({ required: true }) },
    resolve: (_root, { id, name }, ctx) => renameSshKey(ctx, id, name),
  }),
  sshKeyDelete: t.id({
    authScopes: SERVER_ACCESS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => removeSshKey(ctx, id),
  }),
}));
