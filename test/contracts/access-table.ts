/** Who may call each operation: a change here changes access. `account with read` is a session, or a key with that scope. */
export const ACCESS = `
accounts     Mutation.accountAddPassword                   session
accounts     Mutation.accountChangeEmail                   session
accounts     Mutation.accountChangePassword                session
accounts     Mutation.accountChooseLanguage                session
accounts     Mutation.accountChooseNotification            session
accounts     Mutation.accountClose                         session
accounts     Mutation.accountConfirmEmail                  session
accounts     Mutation.accountDeviceLink                    anyone
accounts     Mutation.accountRecover                       anyone
accounts     Mutation.accountResendVerification            anyone
accounts     Mutation.accountSetPassword                   anyone
accounts     Mutation.accountSignUp                        anyone
accounts     Mutation.accountVerifyEmail                   anyone
accounts     Mutation.announcementDismiss                  session
accounts     Mutation.apiKeyRequest                        session
accounts     Mutation.apiKeyRequestRotation                session
accounts     Mutation.apiKeyRevoke                         session
accounts     Mutation.apiKeySetOrderCeiling                session
accounts     Mutation.apiKeyUseReport                      system
accounts     Mutation.billingDetailsSet                    session
accounts     Mutation.cardAdd                              session
accounts     Mutation.cardFinish                           session
accounts     Mutation.cardMakeDefault                      session
accounts     Mutation.cardRemove                           session
accounts     Mutation.chatFinish                           anyone
accounts     Mutation.chatStart                            anyone
accounts     Mutation.chatUnlink                           session
accounts     Mutation.connectedAppAdd                      system
accounts     Mutation.connectedAppRemove                   session
accounts     Mutation.consentGive                          session
accounts     Mutation.identityCheckBegin                   session
accounts     Mutation.identityNoticeReceive                system
accounts     Mutation.impersonationEnd                     anyone
accounts     Mutation.keyOrderPlace                        account with plans
accounts     Mutation.oauthRecordConsume                   system
accounts     Mutation.oauthRecordRemove                    system
accounts     Mutation.oauthRecordStore                     system
accounts     Mutation.oauthRegistrationCount               system
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
accounts     Mutation.setUpCheck                           anyone
accounts     Mutation.setUpFinish                          anyone
accounts     Mutation.signUpBegin                          anyone
accounts     Mutation.signUpFollow                         anyone
accounts     Mutation.staffEnrolmentAccept                 session
accounts     Mutation.statusReport                         system
accounts     Mutation.subscriptionCancel                   session
accounts     Mutation.subscriptionKeep                     session
accounts     Mutation.subscriptionPayNow                   session
accounts     Mutation.subscriptionSetCard                  session
accounts     Mutation.subscriptionSetMethod                session
accounts     Mutation.supportAbuseCaseClose                staff with abuse
accounts     Mutation.supportAbuseCaseNote                 staff with abuse
accounts     Mutation.supportAbuseCaseOpen                 staff with abuse
accounts     Mutation.supportAbuseCaseReopen               staff with abuse
accounts     Mutation.supportAbuseCaseWarn                 staff with abuse
accounts     Mutation.supportAccountAllowApi               staff with suspend
accounts     Mutation.supportAccountRestore                staff with suspend
accounts     Mutation.supportAccountSetIdentity            staff with risk
accounts     Mutation.supportAccountSuspend                staff with suspend
accounts     Mutation.supportAccountsJobAgain              staff with events
accounts     Mutation.supportAnnouncementEnd               staff with announcements
accounts     Mutation.supportAnnouncementPublish           staff with announcements
accounts     Mutation.supportApiKeyGrantOrders             staff with api_keys
accounts     Mutation.supportApiKeyIssue                   staff with api_keys
accounts     Mutation.supportApiKeyRevoke                  staff with api_key_end
accounts     Mutation.supportApiKeyRotate                  staff with api_keys
accounts     Mutation.supportArrangementEnd                staff with sales
accounts     Mutation.supportArrangementRecord             staff with sales
accounts     Mutation.supportCouponAddCodes                staff with coupons
accounts     Mutation.supportCouponEnd                     staff with coupons
accounts     Mutation.supportCouponOpen                    staff with coupons
accounts     Mutation.supportCreditApprove                 staff with credit
accounts     Mutation.supportCreditDecline                 staff with credit
accounts     Mutation.supportCreditGrant                   staff with credit
accounts     Mutation.supportCreditPayOut                  staff with pay_out
accounts     Mutation.supportCreditRequest                 staff with credit_request
accounts     Mutation.supportCreditReverse                 staff with credit
accounts     Mutation.supportDeadLettersRedrive            staff with events
accounts     Mutation.supportDisputeGiveIn                 staff with dispute_answer
accounts     Mutation.supportDisputeSubmit                 staff with dispute_answer
accounts     Mutation.supportEnrolmentLink                 staff with staff
accounts     Mutation.supportFraudWarningClose             staff with fraud
accounts     Mutation.supportImpersonationBegin            staff with impersonate
accounts     Mutation.supportIncidentOpen                  staff with incidents
accounts     Mutation.supportIncidentUpdate                staff with incidents
accounts     Mutation.supportInvoiceReissue                staff with invoices
accounts     Mutation.supportKeyRequestDecline             staff with api_keys
accounts     Mutation.supportLegalPublish                  staff with legal
accounts     Mutation.supportMailSendAgain                 staff with mails
accounts     Mutation.supportMailTextPublish               staff with legal
accounts     Mutation.supportMailTextTry                   staff with legal
accounts     Mutation.supportNoticeAgain                   staff with events
accounts     Mutation.supportOrderEvidenceCheck            staff with tax
accounts     Mutation.supportOrderRefund                   staff with refund
accounts     Mutation.supportOrderRefuse                   staff with risk
accounts     Mutation.supportOrderRelease                  staff with risk
accounts     Mutation.supportOrderRemedy                   staff with orders
accounts     Mutation.supportRefundResolve                 staff with refund
accounts     Mutation.supportResendVerification            staff with access
accounts     Mutation.supportRiskRuleRemove                staff with risk
accounts     Mutation.supportRiskRuleSet                   staff with risk
accounts     Mutation.supportSalesRequestClose             staff with sales
accounts     Mutation.supportSecondFactorsRemove           staff with access
accounts     Mutation.supportSessionsClose                 staff with access
accounts     Mutation.supportStaffSetRoles                 staff with staff
accounts     Mutation.supportSubscriptionEnd               staff with subscriptions
accounts     Mutation.supportTransferConfirm               staff with transfers
accounts     Mutation.totpConfirm                          session
accounts     Mutation.totpRemove                           session
accounts     Mutation.totpStart                            session
accounts     Mutation.webhookEndpointAdd                   account with webhooks
accounts     Mutation.webhookEndpointChange                account with webhooks
accounts     Mutation.webhookEndpointRemove                account with webhooks
accounts     Mutation.webhookEndpointRenewSecret           account with webhooks
accounts     Mutation.webhookEndpointReplay                account with webhooks
accounts     Mutation.webhookEndpointSendAgain             account with webhooks
accounts     Mutation.webhookEndpointTest                  account with webhooks
accounts     Mutation.webhookReceive                       system
accounts     Query.accountClosingTerms                     anyone
accounts     Query.accountData                             session
accounts     Query.accountRules                            anyone
accounts     Query.callerOfAccessToken                     system
accounts     Query.callerOfApiKey                          system
accounts     Query.callerOfSession                         system
accounts     Query.chatPlatform                            anyone
accounts     Query.evidenceDocument                        system
accounts     Query.invoice                                 account with billing
accounts     Query.invoiceDocument                         system
accounts     Query.keyOrders                               account with plans
accounts     Query.legalTexts                              anyone
accounts     Query.me                                      anyone
accounts     Query.oauthRecord                             system
accounts     Query.order                                   account with billing
accounts     Query.orderPreview                            session
accounts     Query.paymentsState                           system
accounts     Query.setUpOpen                               anyone
accounts     Query.statusHistory                           system
accounts     Query.statusIncidents                         system
accounts     Query.supportAbuseCase                        staff with abuse
accounts     Query.supportAbuseCases                       staff with abuse
accounts     Query.supportAccount                          staff with customers
accounts     Query.supportAccounts                         staff with customers
accounts     Query.supportAccountsFailedJobs               staff with events
accounts     Query.supportAnnouncements                    staff with announcements
accounts     Query.supportCoupon                           staff with coupons
accounts     Query.supportCoupons                          staff with coupons
accounts     Query.supportCreditRequests                   staff with credit_request
accounts     Query.supportDeadLetters                      staff with events
accounts     Query.supportDispute                          staff with disputes
accounts     Query.supportDisputes                         staff with disputes
accounts     Query.supportFailedRefunds                    staff with refund
accounts     Query.supportFigures                          staff with finance_reports
accounts     Query.supportFinance                          staff with finance_reports
accounts     Query.supportFinanceExport                    staff with finance_reports
accounts     Query.supportFraudWarnings                    staff with fraud
accounts     Query.supportIncidents                        staff with incidents
accounts     Query.supportKeyRequests                      staff with api_keys
accounts     Query.supportLateNotices                      staff with events
accounts     Query.supportLegalTexts                       staff with legal
accounts     Query.supportMailTextPreview                  staff with legal
accounts     Query.supportMailTexts                        staff with legal
accounts     Query.supportMails                            staff with mails
accounts     Query.supportOrder                            staff with customers
accounts     Query.supportOrders                           staff with orders
accounts     Query.supportProductFigures                   staff with finance_reports
accounts     Query.supportRiskRules                        staff with risk
accounts     Query.supportSalesRequests                    staff with sales
accounts     Query.supportStaff                            staff with staff
accounts     Query.supportStaffActs                        staff with audit
accounts     Query.supportStaffActsExport                  staff with audit
accounts     Query.supportStaffPermissions                 staff with staff
accounts     Query.supportVersion                          staff with customers
accounts     Query.webhookEndpoint                         account with read
accounts     Query.webhookEndpoints                        account with read
accounts     Query.webhookEventTypes                       account with read
accounts     Query.webhookEvents                           account with read
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
compute      Mutation.serverAct                            account with servers
compute      Mutation.serverLeaveRescue                    account with servers
compute      Mutation.serverProtect                        account with servers
compute      Mutation.serverReinstall                      account with servers
compute      Mutation.serverRename                         account with servers
compute      Mutation.serverRescue                         account with servers
compute      Mutation.serverRevealRescuePassword           session
compute      Mutation.serverSetFirewall                    account with servers
compute      Mutation.serverSetLabels                      account with servers
compute      Mutation.serverSetReverseName                 account with servers
compute      Mutation.sshKeyAdd                            account with servers
compute      Mutation.sshKeyDelete                         account with servers
compute      Mutation.sshKeyRename                         account with servers
compute      Mutation.supportClusterAdd                    staff with machines
compute      Mutation.supportClusterChange                 staff with machines
compute      Mutation.supportClusterRemove                 staff with machines
compute      Mutation.supportClusterSetPaused              staff with machines
compute      Mutation.supportComputeAccountPriceEnd        staff with account_prices
compute      Mutation.supportComputeAccountPriceSet        staff with account_prices
compute      Mutation.supportComputeCatalogueSet           staff with catalogue
compute      Mutation.supportComputeCatalogueWithdraw      staff with catalogue
compute      Mutation.supportComputeJobAgain               staff with events
compute      Mutation.supportComputeReprice                staff with catalogue
compute      Mutation.supportComputeRepricingWithdraw      staff with catalogue
compute      Mutation.supportHandWorkClaim                 staff with hand_work
compute      Mutation.supportHandWorkDone                  staff with hand_work
compute      Mutation.supportHandWorkRefuse                staff with hand_work
compute      Mutation.supportHandWorkRevealPassword        staff with hand_work
compute      Mutation.supportMachineSetService             staff with machines
compute      Mutation.supportMachinesKeep                  staff with machines
compute      Mutation.supportNodeDrain                     staff with machines
compute      Mutation.supportNodeSetMaintenance            staff with machines
compute      Mutation.supportOperationRetry                staff with machines
compute      Mutation.supportServerChangeAddress           staff with machines
compute      Mutation.supportServerDelete                  staff with suspend
compute      Mutation.supportServerMove                    staff with machines
compute      Mutation.supportServerRebuild                 staff with machines
compute      Mutation.supportServerRestore                 staff with suspend
compute      Mutation.supportServerSuspend                 staff with suspend
compute      Mutation.vpsForceStop                         account with servers
compute      Mutation.vpsOpenConsole                       session
compute      Mutation.vpsReboot                            account with servers
compute      Mutation.vpsReinstall                         account with servers
compute      Mutation.vpsResetPassword                     account with servers
compute      Mutation.vpsRestore                           account with servers
compute      Mutation.vpsRevealPassword                    session
compute      Mutation.vpsStart                             account with servers
compute      Mutation.vpsStop                              account with servers
compute      Mutation.vpsTakeBackup                        account with servers
compute      Query.computeData                             session
compute      Query.computeRules                            anyone
compute      Query.consoleMayStay                          system
compute      Query.dedicatedOffer                          account with plans
compute      Query.dedicatedPlans                          anyone
compute      Query.server                                  account with servers
compute      Query.servers                                 account with servers
compute      Query.serversState                            system
compute      Query.sshKeys                                 account with servers
compute      Query.supportComputeAccountPricePreview       staff with account_prices
compute      Query.supportComputeAccountPrices             staff with customers
compute      Query.supportComputeCatalogue                 staff with catalogue
compute      Query.supportComputeCataloguePreview          staff with catalogue
compute      Query.supportComputeFailedJobs                staff with events
compute      Query.supportComputeRepricings                staff with catalogue
compute      Query.supportHandWork                         staff with hand_work
compute      Query.supportInfrastructure                   staff with machines
compute      Query.supportMachines                         staff with machines
compute      Query.supportServer                           staff with customers
compute      Query.supportServers                          staff with customers
compute      Query.supportStuckOperations                  staff with machines
compute      Query.vpsBackupsOffer                         session
compute      Query.vpsExtraIpv4Offer                       session
compute      Query.vpsOffer                                account with plans
compute      Query.vpsPlans                                anyone
compute      Query.vpsUpgradeOffer                         session
compute      Subscription.dedicatedServerChanged           account with servers
compute      Subscription.dedicatedServerMetricsChanged    account with servers
compute      Subscription.vpsChanged                       account with servers
compute      Subscription.vpsMetricsChanged                account with servers
residential  Mutation.clientNetworkAdd                     account with plans
residential  Mutation.clientNetworkRemove                  account with plans
residential  Mutation.proxyBatchMakeAddress                session
residential  Mutation.proxyBatchRevokeAddress              session
residential  Mutation.proxyLineTest                        account with generate
residential  Mutation.proxySessionRenew                    account with generate
residential  Mutation.proxyUserChange                      account with generate
residential  Mutation.proxyUserMakePage                    account with generate
residential  Mutation.proxyUserRemove                      account with generate
residential  Mutation.proxyUserRenew                       account with generate
residential  Mutation.proxyUserResetPassword               account with generate
residential  Mutation.proxyUserRevokePage                  account with generate
residential  Mutation.proxyUsersCreate                     account with generate
residential  Mutation.residentialPlanDeleteRequestLog      account with plans
residential  Mutation.residentialPlanResetAuthentication   session
residential  Mutation.residentialPlanSetAlerts             account with plans
residential  Mutation.residentialPlanSetAutoTopUp          account with plans
residential  Mutation.residentialPlanSetDailyLimit         session
residential  Mutation.residentialPlanSetLabel              session
residential  Mutation.residentialPlanSetLogIn              account with plans
residential  Mutation.residentialPlanSetRequestLog         account with plans
residential  Mutation.residentialPlanTopUp                 account with plans
residential  Mutation.supportEdgeDrain                     staff with nodes
residential  Mutation.supportEdgeEnrol                     staff with nodes
residential  Mutation.supportEdgeResume                    staff with nodes
residential  Mutation.supportEdgeRevoke                    staff with nodes
residential  Mutation.supportGatewayNoteBill               staff with nodes
residential  Mutation.supportGatewayRemove                 staff with nodes
residential  Mutation.supportGatewaySet                    staff with nodes
residential  Mutation.supportHeldUsageAccept               staff with usage
residential  Mutation.supportHeldUsageDiscard              staff with usage
residential  Mutation.supportPlanResetAuthentication       staff with access
residential  Mutation.supportPlanWithdraw                  staff with plan_withdraw
residential  Mutation.supportResidentialAccountPriceEnd    staff with account_prices
residential  Mutation.supportResidentialAccountPriceSet    staff with account_prices
residential  Mutation.supportResidentialCatalogueSet       staff with catalogue
residential  Mutation.supportResidentialCatalogueWithdraw  staff with catalogue
residential  Mutation.supportResidentialJobAgain           staff with events
residential  Mutation.usageReportReceive                   system
residential  Query.proxyLineCheck                          account with generate
residential  Query.proxyList                               system
residential  Query.proxyPools                              account with read
residential  Query.proxyUser                               account with read
residential  Query.proxyUserUse                            system
residential  Query.proxyUsers                              account with read
residential  Query.residentialData                         session
residential  Query.residentialOffer                        account with plans
residential  Query.residentialPlan                         account with read
residential  Query.residentialPlans                        account with read
residential  Query.residentialProducts                     anyone
residential  Query.residentialProxies                      account with generate
residential  Query.residentialProxyBatch                   account with generate
residential  Query.residentialProxyPreview                 account with generate
residential  Query.residentialRules                        anyone
residential  Query.residentialState                        system
residential  Query.residentialTopUpOffer                   account with plans
residential  Query.residentialUsageOfPlans                 account with read
residential  Query.supportAddressUse                       staff with address_use
residential  Query.supportEdge                             staff with nodes
residential  Query.supportEdges                            staff with nodes
residential  Query.supportGateway                          staff with nodes
residential  Query.supportGatewayPresets                   staff with nodes
residential  Query.supportGateways                         staff with nodes
residential  Query.supportHeldUsage                        staff with usage
residential  Query.supportResidentialAccountPricePreview   staff with account_prices
residential  Query.supportResidentialAccountPrices         staff with customers
residential  Query.supportResidentialCatalogue             staff with catalogue
residential  Query.supportResidentialCataloguePreview      staff with catalogue
residential  Query.supportResidentialFailedJobs            staff with events
residential  Query.supportResidentialOffer                 staff with sales
residential  Query.supportResidentialPlans                 staff with customers
residential  Subscription.residentialPlanChanged           account with read
residential  Subscription.residentialRequestsLogged        account with read
residential  Subscription.residentialUsageChanged          account with read
residential  Subscription.supportEdgeChanged               staff with nodes
static       Mutation.staticOfferMake                      account with plans
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
static       Mutation.supportStaticAccountPriceEnd         staff with account_prices
static       Mutation.supportStaticAccountPriceSet         staff with account_prices
static       Mutation.supportStaticAddressesChange         staff with inventory
static       Mutation.supportStaticAddressesExchange       staff with exchange
static       Mutation.supportStaticCatalogueSet            staff with catalogue
static       Mutation.supportStaticCatalogueWithdraw       staff with catalogue
static       Mutation.supportStaticImport                  staff with inventory
static       Mutation.supportStaticJobAgain                staff with events
static       Mutation.supportStaticOffer                   staff with sales
static       Mutation.supportStaticPlanRotatePassword      staff with access
static       Mutation.supportStaticReprice                 staff with catalogue
static       Mutation.supportStaticRepricingWithdraw       staff with catalogue
static       Query.staticData                              session
static       Query.staticPlan                              account with read
static       Query.staticPlans                             account with read
static       Query.staticProducts                          anyone
static       Query.staticRules                             anyone
static       Query.staticState                             system
static       Query.staticSubscriptions                     account with read
static       Query.supportStaticAccountPricePreview        staff with account_prices
static       Query.supportStaticAccountPrices              staff with customers
static       Query.supportStaticAddresses                  staff with inventory
static       Query.supportStaticCatalogue                  staff with catalogue
static       Query.supportStaticCataloguePreview           staff with catalogue
static       Query.supportStaticFailedJobs                 staff with events
static       Query.supportStaticHolders                    staff with address_use
static       Query.supportStaticInventory                  staff with inventory
static       Query.supportStaticPlans                      staff with customers
static       Query.supportStaticRepricings                 staff with catalogue
static       Query.supportStaticSubnets                    staff with inventory
static       Subscription.staticPlanChanged                account with read`;
