// What the authorization server, which runs in gateways, stores and asks here. Inaccessible from outside.
import { builder } from '../../builder.ts';
import { CallerIdentity } from '../../identity/graphql/caller-identity.ts';
import { ApiKeyScope } from '../../keys/graphql/api-key.ts';
import type { StoredRecord } from '../entities/oauth-record.ts';
import { callerOfAccessToken, connectApp } from '../services/connected-apps.ts';
import { consumeOAuthRecord, countRegistration, oauthRecord, removeOAuthRecord, storeOAuthRecord } from '../services/oauth-records.ts';

const OAuthRecord = builder.objectRef<StoredRecord>('OAuthRecord').implement({
  inaccessible: true,
  fields: (t) => ({ payload: t.exposeString('payload'), consumed: t.exposeBoolean('consumed') }),
});

const OAuthRecordInput = builder.inputType('OAuthRecordInput', {
  inaccessible: true,
  fields: (t) => ({
    kind: t.string({ required: true }),
    id: t.string({ required: true }),
    payload: t.string({ required: true }),
    expiresInSeconds: t.int(),
    uid: t.string(),
    grantId: t.string(),
  }),
});

const AppAgreementInput = builder.inputType('AppAgreementInput', {
  inaccessible: true,
  fields: (t) => ({
    grantId: t.string({ required: true }),
    accountId: t.id({ required: true }),
    keyId: t.id({ required: true }),
    scopes: t.field({ type: [ApiKeyScope], required: true }),
    clientId: t.string({ required: true }),
    name: t.string({ required: true }),
    host: t.string({ required: true }),
  }),
});

const hidden = { inaccessible: true, authScopes: { system: true } } as const;

builder.queryFields((t) => ({
  callerOfAccessToken: t.field({
    type: CallerIdentity,
    ...hidden,
    args: { token: t.arg.string({ required: true }) },
    resolve: (_, { token }, ctx) => callerOfAccessToken(ctx, token),
  }),
  oauthRecord: t.field({
    type: OAuthRecord,
    nullable: true,
    ...hidden,
    args: { kind: t.arg.string({ required: true }), id: t.arg.string(), uid: t.arg.string() },
    resolve: async (_, which, ctx) => (await oauthRecord(ctx, which)) ?? null,
  }),
}));

builder.mutationFields((t) => ({
  oauthRecordStore: t.boolean({
    ...hidden,
    args: { input: t.arg({ type: OAuthRecordInput, required: true }) },
    async resolve(_, { input }, ctx) {
      await storeOAuthRecord(ctx, input);
      return true;
    },
  }),
  oauthRecordConsume: t.boolean({
    ...hidden,
    args: { kind: t.arg.string({ required: true }), id: t.arg.string({ required: true }) },
    resolve: (_, which, ctx) => consumeOAuthRecord(ctx, which),
  }),
  oauthRecordRemove: t.boolean({
    ...hidden,
    args: { kind: t.arg.string({ required: true }), id: t.arg.string({ required: true }) },
    async resolve(_, which, ctx) {
      await removeOAuthRecord(ctx, which);
      return true;
    },
  }),
  oauthRegistrationCount: t.boolean({
    ...hidden,
    async resolve(_, __, ctx) {
      await countRegistration(ctx);
      return true;
    },
  }),
  connectedAppAdd: t.boolean({
    ...hidden,
    args: { input: t.arg({ type: AppAgreementInput, required: true }) },
    async resolve(_, { input }, ctx) {
      await connectApp(ctx, input);
      return true;
    },
  }),
}));
