// Support's desk. Every field is for staff alone, and a session is staff's only when it has passed a second factor.
import { refuseOwnAccount } from '#platform/context.ts';
import { PROGRAM_VERSION } from '#platform/program-version.ts';
import { builder } from '../../builder.ts';
import { checkTerms } from '../../keys/domain/api-key-terms.ts';
import { openKeyRequests } from '../../keys/entities/key-request.ts';
import { type IssuedKey, issueApiKey, rotateApiKey } from '../../keys/services/issue-api-key.ts';
import { declineRequest } from '../../keys/services/key-requests.ts';
import {
  ORDER_REMEDIES,
  allowApi,
  endAllSessions,
  findAccounts,
  remedyOrder,
  removeFactors,
  resendLink,
  revokeAnyKey,
} from '../services/support.ts';
import { accountFor } from '../../identity/services/staff.ts';
import { type EnrolmentLink as EnrolmentLinkValue, issueEnrolment } from '../../identity/services/staff-enrolment.ts';
import { Account, MailReceipt } from '../../identity/graphql/account.ts';
import { ApiKey, ApiKeyKind, ApiKeyScope } from '../../keys/graphql/api-key.ts';
import { KeyRequest } from '../../keys/graphql/key-request.ts';
import { Order } from '../../billing/orders/graphql/order.ts';

const IssuedApiKey = builder.objectRef<IssuedKey>('IssuedApiKey').implement({
  fields: (t) => ({ key: t.exposeString('key'), apiKey: t.field({ type: ApiKey, resolve: ({ row }) => row }) }),
});

const IssueApiKeyInput = builder.inputType('IssueApiKeyInput', {
  fields: (t) => ({
    accountId: t.id({ required: true }),
    kind: t.field({ type: ApiKeyKind, required: true }),
    scopes: t.field({ type: [ApiKeyScope] }),
    allowedAddresses: t.stringList(),
    expiresAt: t.field({ type: 'DateTime' }),
    requestId: t.id(),
  }),
});

const EnrolmentLink = builder
  .objectRef<EnrolmentLinkValue>('EnrolmentLink')
  .implement({ fields: (t) => ({ url: t.exposeString('url'), expiresAt: t.expose('expiresAt', { type: 'DateTime' }) }) });

const OrderRemedy = builder.enumType('OrderRemedy', { values: ORDER_REMEDIES });

builder.queryFields((t) => ({
  supportAccounts: t.field({
    type: [Account],
    authScopes: { staff: 'customers' },
    args: { search: t.arg.string({ required: true }) },
    resolve: (_, { search }, ctx) => findAccounts(ctx, search),
  }),
  supportAccount: t.field({
    type: Account,
    authScopes: { staff: 'customers' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => accountFor(ctx, id),
  }),
  supportVersion: t.string({ authScopes: { staff: 'customers' }, resolve: () => PROGRAM_VERSION }),
  supportKeyRequests: t.field({
    type: [KeyRequest],
    authScopes: { staff: 'api_keys' },
    resolve: (_, __, { em }) => openKeyRequests(em),
  }),
}));

builder.mutationFields((t) => ({
  supportApiKeyIssue: t.field({
    type: IssuedApiKey,
    authScopes: { staff: 'api_keys' },
    args: { input: t.arg({ type: IssueApiKeyInput, required: true }) },
    resolve: (_, { input }, ctx) =>
      issueApiKey(ctx, {
        accountId: input.accountId,
        expiresAt: input.expiresAt ?? null,
        terms: checkTerms(input),
        requestId: input.requestId,
      }),
  }),
  supportApiKeyRotate: t.field({
    type: IssuedApiKey,
    authScopes: { staff: 'api_keys' },
    args: { id: t.arg.id({ required: true }), overlapHours: t.arg.int() },
    resolve: (_, input, ctx) => rotateApiKey(ctx, input),
  }),
  supportApiKeyRevoke: t.field({
    type: ApiKey,
    authScopes: { staff: 'api_key_end' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => revokeAnyKey(ctx, id),
  }),
  supportKeyRequestDecline: t.field({
    type: KeyRequest,
    authScopes: { staff: 'api_keys' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => declineRequest(ctx, id),
  }),
  supportAccountAllowApi: t.field({
    type: Account,
    authScopes: { staff: 'suspend' },
    args: { id: t.arg.id({ required: true }), allowed: t.arg.boolean({ required: true }) },
    resolve: (_, { id, allowed }, ctx) => allowApi(ctx, { accountId: id, allowed }),
  }),
  supportResendVerification: t.field({
    type: MailReceipt,
    authScopes: { staff: 'access' },
    args: { email: t.arg.string({ required: true }) },
    resolve: (_, { email }, ctx) => resendLink(ctx, email),
  }),
  supportSessionsClose: t.int({
    authScopes: { staff: 'access' },
    args: { accountId: t.arg.id({ required: true }) },
    resolve: (_, { accountId }, ctx) => endAllSessions(ctx, accountId),
  }),
  supportSecondFactorsRemove: t.field({
    type: Account,
    authScopes: { staff: 'access' },
    args: { accountId: t.arg.id({ required: true }) },
    resolve: (_, { accountId }, ctx) => removeFactors(ctx, accountId),
  }),
  supportEnrolmentLink: t.field({
    type: EnrolmentLink,
    authScopes: { staff: 'staff' },
    args: { accountId: t.arg.id({ required: true }) },
    resolve(_, { accountId }, ctx) {
      refuseOwnAccount(ctx, accountId);
      return issueEnrolment(ctx, accountId);
    },
  }),
  supportOrderRemedy: t.field({
    type: Order,
    authScopes: { staff: 'orders' },
    args: { id: t.arg.id({ required: true }), remedy: t.arg({ type: OrderRemedy, required: true }) },
    resolve: (_, input, ctx) => remedyOrder(ctx, input),
  }),
}));
