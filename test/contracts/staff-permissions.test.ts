// The roles that may call each operation of the desk, by the permission that the code requires and the table of permissions.
import { describe, expect, test } from 'vitest';
import type { Viewer } from '#platform/identity.ts';
import { ALL_PERMISSIONS, PERMISSIONS, STAFF_ROLES, type StaffPermission, permissionsOf } from '#platform/staff-permissions.ts';
import { mayAsStaff, requirePermission } from '#platform/staff-rights.ts';
import { PRICE_COMMANDS } from '#commerce/account-prices/price-commands.ts';
import { DESK_COMMANDS } from '../../subgraphs/accounts/commands/desk-commands.ts';
import { SERVER_COMMANDS } from '../../subgraphs/compute/commands/desk-servers.ts';
import { sessionOf } from '../kit/platform.ts';
import { rootFields } from './subgraphs.ts';

/** A change here changes access. */
const MATRIX = `
----O  audit           Query.supportStaffActs
----O  audit           Query.supportStaffActsExport
----O  legal           Mutation.supportLegalPublish
----O  legal           Mutation.supportMailTextPublish
----O  legal           Mutation.supportMailTextTry
----O  legal           Query.supportLegalTexts
----O  legal           Query.supportMailTextPreview
----O  legal           Query.supportMailTexts
----O  staff           Mutation.supportEnrolmentLink
----O  staff           Mutation.supportStaffSetRoles
----O  staff           Query.supportStaff
----O  staff           Query.supportStaffPermissions
---IO  events          Mutation.supportAccountsJobAgain
---IO  events          Mutation.supportComputeJobAgain
---IO  events          Mutation.supportDeadLettersRedrive
---IO  events          Mutation.supportNoticeAgain
---IO  events          Mutation.supportResidentialJobAgain
---IO  events          Mutation.supportStaticJobAgain
---IO  events          Query.supportAccountsFailedJobs
---IO  events          Query.supportComputeFailedJobs
---IO  events          Query.supportDeadLetters
---IO  events          Query.supportLateNotices
---IO  events          Query.supportResidentialFailedJobs
---IO  events          Query.supportStaticFailedJobs
---IO  hand_work       Mutation.supportHandWorkClaim
---IO  hand_work       Mutation.supportHandWorkDone
---IO  hand_work       Mutation.supportHandWorkRefuse
---IO  hand_work       Mutation.supportHandWorkRevealPassword
---IO  hand_work       Query.supportHandWork
---IO  inventory       Mutation.supportStaticAddressesChange
---IO  inventory       Mutation.supportStaticImport
---IO  inventory       Query.supportStaticAddresses
---IO  inventory       Query.supportStaticInventory
---IO  inventory       Query.supportStaticSubnets
---IO  machines        Mutation.supportClusterAdd
---IO  machines        Mutation.supportClusterChange
---IO  machines        Mutation.supportClusterRemove
---IO  machines        Mutation.supportClusterSetPaused
---IO  machines        Mutation.supportMachineSetService
---IO  machines        Mutation.supportMachinesKeep
---IO  machines        Mutation.supportNodeDrain
---IO  machines        Mutation.supportNodeSetMaintenance
---IO  machines        Mutation.supportOperationRetry
---IO  machines        Mutation.supportServerChangeAddress
---IO  machines        Mutation.supportServerMove
---IO  machines        Mutation.supportServerRebuild
---IO  machines        Query.supportInfrastructure
---IO  machines        Query.supportMachines
---IO  machines        Query.supportStuckOperations
---IO  nodes           Mutation.supportEdgeDrain
---IO  nodes           Mutation.supportEdgeEnrol
---IO  nodes           Mutation.supportEdgeResume
---IO  nodes           Mutation.supportEdgeRevoke
---IO  nodes           Mutation.supportGatewayNoteBill
---IO  nodes           Mutation.supportGatewayRemove
---IO  nodes           Mutation.supportGatewaySet
---IO  nodes           Query.supportEdge
---IO  nodes           Query.supportEdges
---IO  nodes           Query.supportGateway
---IO  nodes           Query.supportGatewayPresets
---IO  nodes           Query.supportGateways
---IO  nodes           Subscription.supportEdgeChanged
---IO  usage           Mutation.supportHeldUsageAccept
---IO  usage           Mutation.supportHeldUsageDiscard
---IO  usage           Query.supportHeldUsage
--A-O  abuse           Mutation.supportAbuseCaseClose
--A-O  abuse           Mutation.supportAbuseCaseNote
--A-O  abuse           Mutation.supportAbuseCaseOpen
--A-O  abuse           Mutation.supportAbuseCaseReopen
--A-O  abuse           Mutation.supportAbuseCaseWarn
--A-O  abuse           Query.supportAbuseCase
--A-O  abuse           Query.supportAbuseCases
--A-O  suspend         Mutation.supportAccountAllowApi
--A-O  suspend         Mutation.supportAccountRestore
--A-O  suspend         Mutation.supportAccountSuspend
--A-O  suspend         Mutation.supportServerDelete
--A-O  suspend         Mutation.supportServerRestore
--A-O  suspend         Mutation.supportServerSuspend
--AIO  address_use     Query.supportAddressUse
--AIO  address_use     Query.supportStaticHolders
-F--O  account_prices  Mutation.supportComputeAccountPriceAgree
-F--O  account_prices  Mutation.supportComputeAccountPriceEnd
-F--O  account_prices  Mutation.supportComputeAccountPriceRefuse
-F--O  account_prices  Mutation.supportComputeAccountPriceSet
-F--O  account_prices  Mutation.supportResidentialAccountPriceAgree
-F--O  account_prices  Mutation.supportResidentialAccountPriceEnd
-F--O  account_prices  Mutation.supportResidentialAccountPriceRefuse
-F--O  account_prices  Mutation.supportResidentialAccountPriceSet
-F--O  account_prices  Mutation.supportStaticAccountPriceAgree
-F--O  account_prices  Mutation.supportStaticAccountPriceEnd
-F--O  account_prices  Mutation.supportStaticAccountPriceRefuse
-F--O  account_prices  Mutation.supportStaticAccountPriceSet
-F--O  account_prices  Query.supportComputeAccountPriceLowering
-F--O  account_prices  Query.supportComputeAccountPricePreview
-F--O  account_prices  Query.supportComputeAccountPricesWaiting
-F--O  account_prices  Query.supportResidentialAccountPriceLowering
-F--O  account_prices  Query.supportResidentialAccountPricePreview
-F--O  account_prices  Query.supportResidentialAccountPricesWaiting
-F--O  account_prices  Query.supportStaticAccountPriceLowering
-F--O  account_prices  Query.supportStaticAccountPricePreview
-F--O  account_prices  Query.supportStaticAccountPricesWaiting
-F--O  catalogue       Mutation.supportComputeCatalogueSet
-F--O  catalogue       Mutation.supportComputeCatalogueWithdraw
-F--O  catalogue       Mutation.supportComputeReprice
-F--O  catalogue       Mutation.supportComputeRepricingWithdraw
-F--O  catalogue       Mutation.supportResidentialCatalogueSet
-F--O  catalogue       Mutation.supportResidentialCatalogueWithdraw
-F--O  catalogue       Mutation.supportStaticCatalogueSet
-F--O  catalogue       Mutation.supportStaticCatalogueWithdraw
-F--O  catalogue       Mutation.supportStaticReprice
-F--O  catalogue       Mutation.supportStaticRepricingWithdraw
-F--O  catalogue       Query.supportComputeCatalogue
-F--O  catalogue       Query.supportComputeCataloguePreview
-F--O  catalogue       Query.supportComputeRepricings
-F--O  catalogue       Query.supportResidentialCatalogue
-F--O  catalogue       Query.supportResidentialCataloguePreview
-F--O  catalogue       Query.supportStaticCatalogue
-F--O  catalogue       Query.supportStaticCataloguePreview
-F--O  catalogue       Query.supportStaticRepricings
-F--O  coupons         Mutation.supportCouponAddCodes
-F--O  coupons         Mutation.supportCouponEnd
-F--O  coupons         Mutation.supportCouponOpen
-F--O  coupons         Query.supportCoupon
-F--O  coupons         Query.supportCoupons
-F--O  credit          Mutation.supportCreditApprove
-F--O  credit          Mutation.supportCreditDecline
-F--O  credit          Mutation.supportCreditGrant
-F--O  credit          Mutation.supportCreditReverse
-F--O  dispute_answer  Mutation.supportDisputeGiveIn
-F--O  dispute_answer  Mutation.supportDisputeSubmit
-F--O  finance_reports Query.supportFigures
-F--O  finance_reports Query.supportFinance
-F--O  finance_reports Query.supportFinanceExport
-F--O  finance_reports Query.supportProductFigures
-F--O  invoices        Mutation.supportInvoiceReissue
-F--O  pay_out         Mutation.supportCreditPayOut
-F--O  refund          Mutation.supportOrderRefund
-F--O  refund          Mutation.supportRefundResolve
-F--O  refund          Query.supportFailedRefunds
-F--O  tax             Mutation.supportOrderEvidenceCheck
-F--O  transfers       Mutation.supportTransferConfirm
-FA-O  disputes        Query.supportDispute
-FA-O  disputes        Query.supportDisputes
-FA-O  fraud           Mutation.supportFraudWarningClose
-FA-O  fraud           Query.supportFraudWarnings
-FA-O  plan_withdraw   Mutation.supportPlanWithdraw
-FA-O  risk            Mutation.supportAccountSetIdentity
-FA-O  risk            Mutation.supportOrderRefuse
-FA-O  risk            Mutation.supportOrderRelease
-FA-O  risk            Mutation.supportRiskRuleRemove
-FA-O  risk            Mutation.supportRiskRuleSet
-FA-O  risk            Query.supportRiskRules
S---O  announcements   Mutation.supportAnnouncementEnd
S---O  announcements   Mutation.supportAnnouncementPublish
S---O  announcements   Query.supportAnnouncements
S---O  api_keys        Mutation.supportApiKeyGrantOrders
S---O  api_keys        Mutation.supportApiKeyIssue
S---O  api_keys        Mutation.supportApiKeyRotate
S---O  api_keys        Mutation.supportKeyRequestDecline
S---O  api_keys        Query.supportKeyRequests
S---O  impersonate     Mutation.supportImpersonationBegin
S---O  mails           Mutation.supportMailSendAgain
S---O  mails           Query.supportMails
S--IO  exchange        Mutation.supportStaticAddressesExchange
S--IO  incidents       Mutation.supportIncidentOpen
S--IO  incidents       Mutation.supportIncidentUpdate
S--IO  incidents       Query.supportIncidents
S-A-O  access          Mutation.supportPlanResetAuthentication
S-A-O  access          Mutation.supportResendVerification
S-A-O  access          Mutation.supportSecondFactorsRemove
S-A-O  access          Mutation.supportSessionsClose
S-A-O  access          Mutation.supportStaticPlanRotatePassword
S-A-O  api_key_end     Mutation.supportApiKeyRevoke
SF--O  credit_request  Mutation.supportCreditRequest
SF--O  credit_request  Query.supportCreditRequests
SF--O  orders          Mutation.supportOrderRemedy
SF--O  orders          Query.supportOrders
SF--O  sales           Mutation.supportArrangementEnd
SF--O  sales           Mutation.supportArrangementRecord
SF--O  sales           Mutation.supportSalesRequestClose
SF--O  sales           Mutation.supportStaticOffer
SF--O  sales           Query.supportResidentialOffer
SF--O  sales           Query.supportSalesRequests
SF--O  subscriptions   Mutation.supportSubscriptionEnd
SFAIO  customers       Query.supportAccount
SFAIO  customers       Query.supportAccounts
SFAIO  customers       Query.supportComputeAccountPrices
SFAIO  customers       Query.supportOrder
SFAIO  customers       Query.supportResidentialAccountPrices
SFAIO  customers       Query.supportResidentialPlans
SFAIO  customers       Query.supportServer
SFAIO  customers       Query.supportServers
SFAIO  customers       Query.supportStaticAccountPrices
SFAIO  customers       Query.supportStaticPlans
SFAIO  customers       Query.supportVersion
`;

/** The commands of the desk with the permission that they require. */
const COMMANDS = `
access          end-sessions
access          remove-factors
access          resend
announcements   announce
announcements   announcement-end
announcements   announcements
api_key_end     revoke-key
api_keys        decline-key
api_keys        grant-orders
api_keys        issue-key
api_keys        key-requests
api_keys        rotate-key
audit           audit
coupons         coupon-codes
coupons         coupon-end
coupons         coupon-open
coupons         coupons
credit          credit-agree
credit          credit-refuse
credit          reverse-credit
credit_request  credit-request
credit_request  credit-requests
customers       agreements
customers       find
customers       keys
customers       orders
customers       owned
dispute_answer  dispute-give-in
dispute_answer  dispute-submit
disputes        dispute-evidence
disputes        disputes
events          dead-letters
events          redrive
finance_reports export
finance_reports finance
fraud           fraud-warning-close
fraud           fraud-warnings
incidents       incident-open
incidents       incident-update
incidents       incidents
invoices        reissue-invoice
legal           legal-publish
legal           legal-texts
legal           mail-text
legal           mail-text-publish
legal           mail-text-try
legal           mail-text-withdraw
legal           mail-texts
orders          cancel-order
orders          recheck
orders          redeliver
orders          waiting
pay_out         credit-pay-out
pay_out         credit-payable
refund          failed-refunds
refund          refund
refund          resolve-refund
risk            held
risk            identity
risk            refuse
risk            release
risk            risk-rules
sales           agree
sales           close-sales-request
sales           end-agreement
sales           sales-requests
staff           appoint
staff           dismiss
staff           enrol-factor
staff           roles
subscriptions   end-subscription
suspend         allow-api
suspend         forbid-api
suspend         restore
suspend         suspend
tax             evidence-checked
tax             exchange-rate
transfers       confirm-transfer
`;

/** The same of the commands on servers. */
const COMMANDS_ON_SERVERS = `
customers       show
machines        again
machines        change-address
machines        drain
machines        end-maintenance
machines        move
machines        nodes
machines        rebuild
machines        stuck
suspend         delete
suspend         restore
suspend         suspend
`;

/** The same of the commands on the prices of an account. */
const COMMANDS_ON_PRICES = `
account_prices  agree
account_prices  end
account_prices  preview
account_prices  refuse
account_prices  requests
account_prices  set
customers       list
`;

const permissionOf = (scopes: unknown): StaffPermission | undefined => (scopes as { staff?: StaffPermission } | undefined)?.staff;
const staffFields = rootFields().flatMap(({ path, scopes }) => {
  const permission = permissionOf(scopes);
  return permission === undefined ? [] : [{ path, permission }];
});
const letters = (permission: StaffPermission): string =>
  STAFF_ROLES.map((role) => (permissionsOf([role]).includes(permission) ? role[0] : '-')).join('');

test('which role may do what: S support, F finance, A abuse, I infrastructure, O owner', () => {
  const table = staffFields.map(({ path, permission }) => `${letters(permission)}  ${permission.padEnd(16)}${path}`).toSorted();
  expect(`\n${table.join('\n')}\n`).toBe(MATRIX);
});

test.each([
  ['desk', DESK_COMMANDS, COMMANDS],
  ['desk on servers', SERVER_COMMANDS, COMMANDS_ON_SERVERS],
  ['desk on prices', PRICE_COMMANDS, COMMANDS_ON_PRICES],
] as const)('which permission each command of the %s asks for', (_name, commands, expected) => {
  const table = Object.entries(commands).map(([name, { permission }]) => `${permission.padEnd(16)}${name}`);
  expect(`\n${table.toSorted().join('\n')}\n`).toBe(expected);
});

test('every operation named for the desk requires a permission, and the desk has no other open operation', () => {
  const named = rootFields().filter(({ path }) => path.split('.')[1]?.startsWith('support'));
  expect(named.filter(({ scopes }) => permissionOf(scopes) === undefined).map(({ path }) => path)).toEqual([]);
  expect(staffFields.filter(({ path }) => !named.some((field) => field.path === path))).toEqual([]);
});

test('the table has no permission that nothing requires', () => {
  const asked = new Set(staffFields.map(({ permission }) => permission));
  // Staff request the copy of an account's data by the same field as the owner, so no desk operation requires this permission.
  expect(ALL_PERMISSIONS.filter((permission) => !asked.has(permission))).toEqual(['data_copy']);
});

describe('a viewer', () => {
  const member = (...permissions: StaffPermission[]): Viewer => ({ ...sessionOf('acct_1', true), permissions }) as Viewer;
  const refusalOf = (viewer: Viewer, permission: StaffPermission) => {
    try {
      requirePermission(viewer, permission);
    } catch (error) {
      return error;
    }
    return undefined;
  };

  test('with the permission passes; a member without it learns which is missing and who has it; others learn nothing', () => {
    expect(refusalOf(member('refund'), 'refund')).toBeUndefined();
    expect(refusalOf(member('customers', 'disputes'), 'refund')).toMatchObject({
      code: 'permission_missing',
      message: 'This needs the permission refund, which these roles have: finance, owner.',
      meta: { reason: { params: { permission: 'refund' } } },
    });
    expect(refusalOf(sessionOf('acct_1'), 'refund')).toMatchObject({ code: 'forbidden', meta: {} });
    // Viewers of a session without a second factor, and of an earlier gateway.
    expect(refusalOf({ ...sessionOf('acct_1'), permissions: ['refund'] } as Viewer, 'refund')).toMatchObject({ code: 'forbidden' });
    expect(mayAsStaff({ ...sessionOf('acct_1', true), permissions: undefined } as unknown as Viewer, 'customers')).toBe(false);
  });

  test('an owner may do all, several roles add up, and without a role nothing is allowed', () => {
    expect(permissionsOf(['OWNER'])).toEqual(ALL_PERMISSIONS);
    expect(permissionsOf(['SUPPORT', 'FINANCE'])).toEqual(expect.arrayContaining(['api_keys', 'refund']));
    expect(permissionsOf(['SUPPORT'])).not.toContain('refund');
    expect(permissionsOf([])).toEqual([]);
    expect(PERMISSIONS.filter(({ roles }) => !roles.includes('OWNER'))).toEqual([]);
  });
});
