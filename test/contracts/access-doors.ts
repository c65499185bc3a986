// All inputs by which the graph is reached: the ids of every operation, and every entity that is resolved by its key. A new one needs a row here.
import { type GraphQLInputType, buildSchema, getNamedType, isInputObjectType } from 'graphql';
import { apiSdl } from '../../schema/compose.ts';

/** The kinds of objects that the owner has. */
export type Thing =
  | 'account'
  | 'apiKey'
  | 'session'
  | 'request'
  | 'order'
  | 'invoice'
  | 'plan'
  | 'batch'
  | 'proxyUser'
  | 'clientNetwork'
  | 'staticPlan'
  | 'replacement'
  | 'subscription'
  | 'server'
  | 'backup'
  | 'passkey'
  | 'sshKey'
  | 'card'
  | 'arrangement'
  | 'salesRequest'
  | 'product'
  | 'webhook'
  | 'webhookEvent'
  | 'none';

/** Every ID argument of an operation, and the kind of object that it names; `none`: an object without an owner. */
export const IDS: Record<string, Thing> = {
  'Query.invoice.id': 'invoice',
  'Query.order.id': 'order',
  'Query.proxyUser.id': 'proxyUser',
  'Query.residentialPlan.id': 'plan',
  'Query.residentialProxies.planId': 'plan',
  'Query.residentialProxyBatch.id': 'batch',
  'Query.residentialProxyPreview.planId': 'plan',
  'Query.residentialTopUpOffer.planId': 'plan',
  'Query.server.id': 'server',
  'Query.staticPlan.id': 'staticPlan',
  'Query.staticPlans.productId': 'product',
  'Query.vpsBackupsOffer.id': 'server',
  'Query.vpsExtraIpv4Offer.id': 'server',
  'Query.vpsUpgradeOffer.id': 'server',
  'Query.accountData.accountId': 'account',
  'Query.computeData.accountId': 'account',
  'Query.residentialData.accountId': 'account',
  'Query.staticData.accountId': 'account',
  'Query.supportAccount.id': 'account',
  'Query.supportResidentialPlans.accountId': 'account',
  'Query.supportServers.accountId': 'account',
  'Query.supportStaffActs.filter.by': 'account',
  'Query.supportStaticPlans.accountId': 'account',
  'Query.supportEdge.id': 'none',
  'Query.supportOrder.id': 'order',
  'Query.supportStaticAddresses.productId': 'product',
  'Query.supportStaticSubnets.productId': 'product',
  'Query.supportResidentialOffer.accountId': 'account',
  'Mutation.supportResidentialCatalogueWithdraw.id': 'none',
  'Mutation.supportStaticCatalogueWithdraw.id': 'none',
  'Mutation.supportComputeCatalogueWithdraw.id': 'none',
  'Mutation.apiKeyRequestRotation.id': 'apiKey',
  'Mutation.apiKeyRevoke.id': 'apiKey',
  'Mutation.cardMakeDefault.id': 'card',
  'Mutation.cardRemove.id': 'card',
  'Mutation.orderCancel.id': 'order',
  'Mutation.orderOpenCheckout.id': 'order',
  'Mutation.passkeyRemove.id': 'passkey',
  'Mutation.proxyBatchMakeAddress.id': 'batch',
  'Mutation.proxyBatchRevokeAddress.id': 'batch',
  'Mutation.proxyUserChange.id': 'proxyUser',
  'Mutation.proxyUserMakePage.id': 'proxyUser',
  'Mutation.proxyUserRemove.id': 'proxyUser',
  'Mutation.proxyUserRenew.id': 'proxyUser',
  'Mutation.proxyUserResetPassword.id': 'proxyUser',
  'Mutation.proxyUserRevokePage.id': 'proxyUser',
  'Mutation.proxyUsersCreate.planId': 'plan',
  'Mutation.residentialPlanDeleteRequestLog.id': 'plan',
  'Mutation.residentialPlanResetAuthentication.id': 'plan',
  'Mutation.residentialPlanSetAlerts.id': 'plan',
  'Mutation.residentialPlanSetAutoTopUp.id': 'plan',
  'Mutation.residentialPlanSetDailyLimit.id': 'plan',
  'Mutation.residentialPlanSetLogIn.id': 'plan',
  'Mutation.residentialPlanSetRequestLog.id': 'plan',
  'Mutation.clientNetworkAdd.planId': 'plan',
  'Mutation.clientNetworkRemove.id': 'clientNetwork',
  'Mutation.supportCouponAddCodes.id': 'none',
  'Mutation.supportCouponEnd.id': 'none',
  'Query.supportCoupon.id': 'none',
  'Mutation.supportGatewayNoteBill.id': 'none',
  'Mutation.supportGatewayRemove.id': 'none',
  'Mutation.supportGatewaySet.input.id': 'none',
  'Query.supportGateway.id': 'none',
  'Mutation.supportOperationRetry.id': 'none',
  'Mutation.vpsReinstall.id': 'server',
  'Mutation.supportEdgeDrain.id': 'none',
  'Mutation.supportEdgeEnrol.id': 'none',
  'Mutation.supportEdgeResume.id': 'none',
  'Mutation.supportEdgeRevoke.id': 'none',
  'Mutation.announcementDismiss.id': 'none',
  'Mutation.supportAnnouncementEnd.id': 'none',
  'Mutation.supportIncidentUpdate.id': 'none',
  'Mutation.supportInvoiceReissue.id': 'invoice',
  'Mutation.supportHeldUsageAccept.ids': 'none',
  'Mutation.supportHeldUsageDiscard.ids': 'none',
  'Mutation.sessionClose.id': 'session',
  'Mutation.staticOfferMake.productId': 'product',
  'Mutation.staticPlanOfferFewer.id': 'staticPlan',
  'Mutation.staticPlanOfferMore.id': 'staticPlan',
  'Mutation.staticPlanReplacementConfirm.id': 'replacement',
  'Mutation.staticPlanReplacementPrepare.id': 'staticPlan',
  'Mutation.staticPlanRotatePassword.id': 'staticPlan',
  'Mutation.staticPlanSetAllowedAddresses.id': 'staticPlan',
  'Mutation.staticPlanSetAutoReplace.id': 'staticPlan',
  'Mutation.staticPlanSetCredentials.id': 'staticPlan',
  'Mutation.staticPlanSetLabel.id': 'staticPlan',
  'Mutation.staticStockUnwatch.productId': 'product',
  'Mutation.staticStockWatch.productId': 'product',
  'Mutation.supportStaticPlanRotatePassword.planId': 'staticPlan',
  'Mutation.supportStaticOffer.accountId': 'account',
  'Mutation.supportStaticOffer.productId': 'product',
  'Mutation.supportAbuseCaseClose.id': 'none',
  'Mutation.supportAbuseCaseNote.accountId': 'account',
  'Mutation.supportAbuseCaseNote.id': 'none',
  'Mutation.supportAbuseCaseReopen.id': 'none',
  'Mutation.supportAbuseCaseWarn.accountId': 'account',
  'Mutation.supportAbuseCaseWarn.id': 'none',
  'Query.supportAbuseCase.id': 'none',
  'Mutation.supportAccountAllowApi.id': 'account',
  'Mutation.supportAccountRestore.accountId': 'account',
  'Mutation.supportAccountSuspend.accountId': 'account',
  'Mutation.supportApiKeyIssue.input.accountId': 'account',
  'Mutation.supportApiKeyIssue.input.requestId': 'request',
  'Mutation.supportArrangementEnd.id': 'arrangement',
  'Mutation.supportArrangementRecord.accountId': 'account',
  'Mutation.supportArrangementRecord.requestId': 'salesRequest',
  'Mutation.supportSalesRequestClose.id': 'salesRequest',
  'Mutation.supportDeadLettersRedrive.id': 'none',
  'Mutation.supportAccountsJobAgain.id': 'none',
  'Mutation.supportResidentialJobAgain.id': 'none',
  'Mutation.supportStaticJobAgain.id': 'none',
  'Mutation.supportComputeJobAgain.id': 'none',
  'Mutation.supportNoticeAgain.id': 'none',
  'Mutation.supportRiskRuleRemove.id': 'none',
  'Mutation.supportRiskRuleSet.input.id': 'none',
  'Mutation.supportOrderRelease.id': 'order',
  'Mutation.supportOrderRefuse.id': 'order',
  'Mutation.supportAccountSetIdentity.accountId': 'account',
  'Mutation.supportDisputeGiveIn.id': 'none',
  'Mutation.supportDisputeSubmit.id': 'none',
  'Mutation.supportFraudWarningClose.id': 'none',
  'Mutation.supportRefundResolve.id': 'none',
  'Query.supportDispute.id': 'none',
  'Mutation.supportApiKeyRevoke.id': 'apiKey',
  'Mutation.supportApiKeyRotate.id': 'apiKey',
  'Mutation.supportCreditGrant.input.accountId': 'account',
  'Mutation.supportKeyRequestDecline.id': 'request',
  'Mutation.supportMailSendAgain.id': 'none',
  'Mutation.supportOrderEvidenceCheck.id': 'order',
  'Mutation.supportOrderRefund.input.orderId': 'order',
  'Mutation.supportOrderRemedy.id': 'order',
  'Mutation.supportEnrolmentLink.accountId': 'account',
  'Mutation.supportStaffSetRoles.accountId': 'account',
  'Mutation.supportCreditApprove.id': 'request',
  'Mutation.supportCreditDecline.id': 'request',
  'Mutation.supportCreditPayOut.input.accountId': 'account',
  'Mutation.supportCreditRequest.input.accountId': 'account',
  'Mutation.supportCreditReverse.input.lineId': 'none',
  'Mutation.supportPlanResetAuthentication.planId': 'plan',
  'Mutation.supportPlanWithdraw.input.planId': 'plan',
  'Mutation.supportSecondFactorsRemove.accountId': 'account',
  'Mutation.supportSessionsClose.accountId': 'account',
  'Mutation.supportSubscriptionEnd.id': 'subscription',
  'Mutation.supportTransferConfirm.input.orderId': 'order',
  'Mutation.dedicatedServerForceStop.id': 'server',
  'Mutation.dedicatedServerOpenConsole.id': 'server',
  'Mutation.dedicatedServerReboot.id': 'server',
  'Mutation.dedicatedServerReinstall.id': 'server',
  'Mutation.dedicatedServerResetPassword.id': 'server',
  'Mutation.dedicatedServerRevealPassword.id': 'server',
  'Mutation.dedicatedServerStart.id': 'server',
  'Mutation.dedicatedServerStop.id': 'server',
  'Mutation.serverAct.id': 'server',
  'Mutation.serverReinstall.id': 'server',
  'Mutation.serverLeaveRescue.id': 'server',
  'Mutation.serverProtect.id': 'server',
  'Mutation.serverRename.id': 'server',
  'Mutation.serverRescue.id': 'server',
  'Mutation.serverRevealRescuePassword.id': 'server',
  'Mutation.sshKeyDelete.id': 'sshKey',
  'Mutation.sshKeyRename.id': 'sshKey',
  'Mutation.serverSetFirewall.id': 'server',
  'Mutation.serverSetLabels.id': 'server',
  'Mutation.serverSetReverseName.id': 'server',
  'Subscription.dedicatedServerMetricsChanged.id': 'server',
  'Mutation.supportMachineSetService.id': 'none',
  'Mutation.supportHandWorkClaim.operationId': 'none',
  'Mutation.supportHandWorkDone.operationId': 'none',
  'Mutation.supportHandWorkRefuse.operationId': 'none',
  'Mutation.supportHandWorkRevealPassword.operationId': 'none',
  'Mutation.subscriptionCancel.id': 'subscription',
  'Mutation.subscriptionKeep.id': 'subscription',
  'Mutation.subscriptionPayNow.cardId': 'card',
  'Mutation.subscriptionPayNow.id': 'subscription',
  'Mutation.subscriptionSetMethod.cardId': 'card',
  'Mutation.subscriptionSetMethod.id': 'subscription',
  'Mutation.subscriptionSetCard.cardId': 'card',
  'Mutation.subscriptionSetCard.id': 'subscription',
  'Mutation.webhookEndpointChange.id': 'webhook',
  'Mutation.webhookEndpointRemove.id': 'webhook',
  'Mutation.webhookEndpointRenewSecret.id': 'webhook',
  'Mutation.webhookEndpointReplay.id': 'webhook',
  'Mutation.webhookEndpointSendAgain.eventId': 'webhookEvent',
  'Mutation.webhookEndpointSendAgain.id': 'webhook',
  'Mutation.webhookEndpointTest.id': 'webhook',
  'Query.webhookEndpoint.id': 'webhook',
  'Mutation.vpsForceStop.id': 'server',
  'Mutation.vpsOpenConsole.id': 'server',
  'Mutation.vpsReboot.id': 'server',
  'Mutation.vpsResetPassword.id': 'server',
  'Mutation.vpsRestore.backup': 'backup',
  'Mutation.vpsRestore.id': 'server',
  'Mutation.vpsRevealPassword.id': 'server',
  'Mutation.vpsStart.id': 'server',
  'Mutation.vpsStop.id': 'server',
  'Mutation.vpsTakeBackup.id': 'server',
  'Subscription.orderChanged.id': 'order',
  'Subscription.residentialRequestsLogged.filter.userId': 'proxyUser',
  'Subscription.residentialRequestsLogged.planId': 'plan',
  'Subscription.residentialUsageChanged.planId': 'plan',
  'Subscription.subscriptionChanged.id': 'subscription',
  'Subscription.vpsMetricsChanged.id': 'server',
};

/** Every entity that other subgraphs may request by its key. `public`: it has no owner. */
export const ENTITIES: Record<string, Thing | 'public'> = {
  'accounts Account': 'account',
  'accounts ApiKey': 'apiKey',
  'accounts BillingSubscription': 'subscription',
  'accounts Invoice': 'invoice',
  'accounts Order': 'order',
  'compute DedicatedPlan': 'public',
  'compute DedicatedServer': 'server',
  'compute Vps': 'server',
  'compute VpsPlan': 'public',
  'residential ResidentialPlan': 'plan',
  'residential ResidentialProduct': 'public',
  'static StaticPlan': 'staticPlan',
};

export const api = buildSchema(apiSdl());
export const ROOTS = [api.getQueryType(), api.getMutationType(), api.getSubscriptionType()].flatMap((type) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({ kind: type?.name ?? '', path: `${type?.name}.${field.name}`, field })),
);

/** The paths of the IDs inside an argument. */
export function idsIn(path: string, type: GraphQLInputType): string[] {
  const named = getNamedType(type);
  if (named.name === 'ID') return [path];
  return isInputObjectType(named) ? Object.values(named.getFields()).flatMap((each) => idsIn(`${path}.${each.name}`, each.type)) : [];
}
export type Root = (typeof ROOTS)[number];
export const idsOf = ({ path, field }: Pick<Root, 'path' | 'field'>) => field.args.flatMap((arg) => idsIn(`${path}.${arg.name}`, arg.type));

/** Arguments that are cursors, which name no object. */
const CURSORS = new Set(['after']);
export const isCursor = (path: string) => CURSORS.has(path.split('.').at(-1) ?? '');
