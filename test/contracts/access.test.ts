import { Kind, type ObjectTypeDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { contractOf } from '../../schema/compose.ts';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { rootFields } from './subgraphs.ts';

/** Root fields that the contracts hide from the API. */
const hidden = SUBGRAPHS.flatMap((name) =>
  parse(contractOf(name))
    .definitions.filter(
      (node): node is ObjectTypeDefinitionNode =>
        node.kind === Kind.OBJECT_TYPE_DEFINITION && ['Query', 'Mutation', 'Subscription'].includes(node.name.value),
    )
    .flatMap((type) =>
      (type.fields ?? [])
        .filter(({ directives }) => directives?.some((directive) => directive.name.value === 'inaccessible'))
        .map((field) => `${type.name.value}.${field.name.value}`),
    ),
);

/** The gateway calls these for somebody who has no session yet, or whose session may have ended. */
const HIDDEN_FOR_ANYONE = [
  'sessionCreate',
  'sessionConfirm',
  'sessionEnd',
  'passkeySignInStart',
  'passkeySignIn',
  'chatStart',
  'chatFinish',
].map((name) => `Mutation.${name}`);

/** Who may reach what: a change here is a change of who may. `account with read` is a session or a key that has the scope. */
const ACCESS = `
accounts     Mutation.accountAddPassword                   session
accounts     Mutation.accountChangeEmail                   session
accounts     Mutation.accountChangePassword                session
accounts     Mutation.accountChooseNotification            session
accounts     Mutation.accountClose                         session
accounts     Mutation.accountConfirmEmail                  session
accounts     Mutation.accountDeviceLink                    anyone
accounts     Mutation.accountRecover                       anyone
accounts     Mutation.accountResendVerification            anyone
accounts     Mutation.accountSetPassword                   anyone
accounts     Mutation.accountSignUp                        anyone
accounts     Mutation.accountVerifyEmail                   anyone
accounts     Mutation.apiKeyRequest                        session
accounts     Mutation.apiKeyRequestRotation                session
accounts     Mutation.apiKeyRevoke                         session
accounts     Mutation.apiKeyUseReport                      system
accounts     Mutation.billingDetailsSet                    session
accounts     Mutation.cardAdd                              session
accounts     Mutation.cardMakeDefault                      session
accounts     Mutation.cardRemove                           session
accounts     Mutation.chatFinish                           anyone
accounts     Mutation.chatStart                            anyone
accounts     Mutation.chatUnlink                           session
accounts     Mutation.orderCancel                          session
accounts     Mutation.orderOpenCheckout                    session
accounts     Mutation.orderPlace                           session
accounts     Mutation.passkeyAdd                           session
accounts     Mutation.passkeyRemove                        session
accounts     Mutation.passkeySignIn                        anyone
accounts     Mutation.passkeySignInStart                   anyone
accounts     Mutation.passkeyStart                         session
accounts     Mutation.recoveryCodesRenew                   session
accounts     Mutation.salesRequestSend                     session
accounts     Mutation.sessionClose                         session
accounts     Mutation.sessionCloseAll                      session
accounts     Mutation.sessionConfirm                       anyone
accounts     Mutation.sessionCreate                        anyone
accounts     Mutation.sessionEnd                           anyone
accounts     Mutation.staffEnrolmentAccept                 session
accounts     Mutation.subscriptionCancel                   session
accounts     Mutation.subscriptionKeep                     session
accounts     Mutation.subscriptionPayNow                   session
accounts     Mutation.subscriptionSetCard                  session
accounts     Mutation.supportAccountAllowApi               staff
accounts     Mutation.supportApiKeyIssue                   staff
accounts     Mutation.supportApiKeyRevoke                  staff
accounts     Mutation.supportApiKeyRotate                  staff
accounts     Mutation.supportArrangementEnd                staff
accounts     Mutation.supportArrangementRecord             staff
accounts     Mutation.supportCreditGrant                   staff
accounts     Mutation.supportDeadLettersRedrive            staff
accounts     Mutation.supportEnrolmentLink                 staff
accounts     Mutation.supportKeyRequestDecline             staff
accounts     Mutation.supportMailSendAgain                 staff
accounts     Mutation.supportOrderRefund                   staff
accounts     Mutation.supportOrderRemedy                   staff
accounts     Mutation.supportResendVerification            staff
accounts     Mutation.supportSalesRequestClose             staff
accounts     Mutation.supportSecondFactorsRemove           staff
accounts     Mutation.supportSessionsClose                 staff
accounts     Mutation.supportTransferConfirm               staff
accounts     Mutation.totpConfirm                          session
accounts     Mutation.totpRemove                           session
accounts     Mutation.totpStart                            session
accounts     Mutation.webhookReceive                       system
accounts     Query.accountClosingTerms                     anyone
accounts     Query.callerOfApiKey                          system
accounts     Query.callerOfSession                         system
accounts     Query.chatPlatform                            anyone
accounts     Query.invoice                                 account with billing
accounts     Query.invoiceDocument                         system
accounts     Query.me                                      anyone
accounts     Query.order                                   account with billing
accounts     Query.orderPreview                            session
accounts     Query.supportAccount                          staff
accounts     Query.supportAccounts                         staff
accounts     Query.supportDeadLetters                      staff
accounts     Query.supportKeyRequests                      staff
accounts     Query.supportMails                            staff
accounts     Query.supportOrder                            staff
accounts     Query.supportOrders                           staff
accounts     Query.supportSalesRequests                    staff
accounts     Subscription.orderChanged                     session
accounts     Subscription.subscriptionChanged              session
compute      Mutation.consoleRedeem                        system
compute      Mutation.dedicatedServerForceStop             account with servers
compute      Mutation.dedicatedServerOpenConsole           session
compute      Mutation.dedicatedServerReboot                account with servers
compute      Mutation.dedicatedServerReinstall             account with servers
compute      Mutation.dedicatedServerResetPassword         account with servers
compute      Mutation.dedicatedServerRevealPassword        session
compute      Mutation.dedicatedServerStart                 account with servers
compute      Mutation.dedicatedServerStop                  account with servers
compute      Mutation.serverLeaveRescue                    account with servers
compute      Mutation.serverProtect                        account with servers
compute      Mutation.serverRename                         account with servers
compute      Mutation.serverRescue                         account with servers
compute      Mutation.serverRevealRescuePassword           session
compute      Mutation.serverSetFirewall                    account with servers
compute      Mutation.serverSetLabels                      account with servers
compute      Mutation.serverSetReverseName                 account with servers
compute      Mutation.supportHandWorkClaim                 staff
compute      Mutation.supportHandWorkDone                  staff
compute      Mutation.supportHandWorkRefuse                staff
compute      Mutation.supportHandWorkRevealPassword        staff
compute      Mutation.supportMachineSetService             staff
compute      Mutation.supportMachinesKeep                  staff
compute      Mutation.vpsForceStop                         account with servers
compute      Mutation.vpsOpenConsole                       session
compute      Mutation.vpsReboot                            account with servers
compute      Mutation.vpsResetPassword                     account with servers
compute      Mutation.vpsRestore                           account with servers
compute      Mutation.vpsRevealPassword                    session
compute      Mutation.vpsStart                             account with servers
compute      Mutation.vpsStop                              account with servers
compute      Mutation.vpsTakeBackup                        account with servers
compute      Query.consoleMayStay                          system
compute      Query.dedicatedOffer                          session
compute      Query.dedicatedPlans                          anyone
compute      Query.server                                  account with servers
compute      Query.servers                                 account with servers
compute      Query.supportHandWork                         staff
compute      Query.supportMachines                         staff
compute      Query.supportServers                          staff
compute      Query.vpsBackupsOffer                         session
compute      Query.vpsExtraIpv4Offer                       session
compute      Query.vpsOffer                                session
compute      Query.vpsPlans                                anyone
compute      Query.vpsUpgradeOffer                         session
compute      Subscription.dedicatedServerChanged           account with servers
compute      Subscription.dedicatedServerMetricsChanged    account with servers
compute      Subscription.vpsChanged                       account with servers
compute      Subscription.vpsMetricsChanged                account with servers
residential  Mutation.proxyBatchMakeAddress                session
residential  Mutation.proxyBatchRevokeAddress              session
residential  Mutation.residentialPlanResetAuthentication   session
residential  Mutation.residentialPlanSetDailyLimit         session
residential  Mutation.supportEdgeDrain                     staff
residential  Mutation.supportEdgeEnrol                     staff
residential  Mutation.supportEdgeResume                    staff
residential  Mutation.supportEdgeRevoke                    staff
residential  Mutation.supportHeldUsageAccept               staff
residential  Mutation.supportHeldUsageDiscard              staff
residential  Mutation.usageReportReceive                   system
residential  Query.proxyLineCheck                          account with generate
residential  Query.proxyList                               system
residential  Query.proxyPools                              account with read
residential  Query.residentialOffer                        session
residential  Query.residentialPlan                         account with read
residential  Query.residentialPlans                        account with read
residential  Query.residentialProducts                     anyone
residential  Query.residentialProxies                      account with generate
residential  Query.residentialProxyBatch                   account with generate
residential  Query.residentialProxyPreview                 account with generate
residential  Query.supportEdge                             staff
residential  Query.supportEdges                            staff
residential  Query.supportHeldUsage                        staff
residential  Query.supportResidentialOffer                 staff
residential  Query.supportResidentialPlans                 staff
residential  Subscription.residentialPlanChanged           account with read
residential  Subscription.residentialUsageChanged          account with read
residential  Subscription.supportEdgeChanged               staff
static       Mutation.staticOfferMake                      session
static       Mutation.staticPlanOfferFewer                 session
static       Mutation.staticPlanOfferMore                  session
static       Mutation.staticPlanReplacementConfirm         session
static       Mutation.staticPlanReplacementPrepare         session
static       Mutation.staticPlanRotatePassword             session
static       Mutation.staticPlanSetAllowedAddresses        session
static       Mutation.staticPlanSetAutoReplace             session
static       Mutation.staticPlanSetCredentials             session
static       Mutation.staticPlanSetLabel                   session
static       Mutation.staticStockUnwatch                   session
static       Mutation.staticStockWatch                     session
static       Mutation.supportStaticAddressesChange         staff
static       Mutation.supportStaticAddressesExchange       staff
static       Mutation.supportStaticImport                  staff
static       Mutation.supportStaticOffer                   staff
static       Query.staticPlan                              account with read
static       Query.staticPlans                             account with read
static       Query.staticProducts                          anyone
static       Query.staticSubscriptions                     account with read
static       Query.supportStaticAddresses                  staff
static       Query.supportStaticHolders                    staff
static       Query.supportStaticInventory                  staff
static       Query.supportStaticPlans                      staff
static       Query.supportStaticSubnets                    staff
static       Subscription.staticPlanChanged                account with read
`;

test('every root field of every subgraph says who may reach it: without a word, everybody could', () => {
  const silent = rootFields().filter(({ scopes }) => typeof scopes !== 'function' && Object.keys(scopes ?? {}).length === 0);
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('what is hidden from the API answers the platform only', () => {
  const open = rootFields().filter(
    ({ path, scopes }) => hidden.includes(path) && !HIDDEN_FOR_ANYONE.includes(path) && JSON.stringify(scopes) !== '{"system":true}',
  );
  expect(open).toEqual([]);
  expect(hidden.length).toBeGreaterThan(HIDDEN_FOR_ANYONE.length);
});

test('servers answer their owner and keys with the scope for it; what sells them, opens a console or tells a password asks for a session', () => {
  const others = rootFields().filter(
    ({ subgraph, scopes }) =>
      subgraph === 'compute' &&
      !['account with servers', 'anyone', 'staff', 'system'].includes(describeScopes(scopes as Record<string, unknown>)),
  );
  expect(others.filter(({ path }) => !/(Offer(Accept)?|OpenConsole|Reveal(Rescue)?Password)$/.test(path)).map(({ path }) => path)).toEqual(
    [],
  );
});

test('who may reach what', () => {
  const table = rootFields()
    .map(
      ({ subgraph, path, scopes }) =>
        `${subgraph.padEnd(13)}${path.padEnd(46)}${typeof scopes === 'function' ? 'by its own rule' : describeScopes(scopes)}`,
    )
    .sort();
  expect(`\n${table.join('\n')}\n`).toBe(ACCESS);
});

function describeScopes(scopes: Record<string, unknown> | undefined): string {
  return Object.entries(scopes ?? {})
    .map(([name, value]) =>
      value === true
        ? name
        : typeof value === 'object' && value !== null
          ? describeScopes(value as Record<string, unknown>)
          : `${name} with ${String(value)}`,
    )
    .join(' or ');
}
