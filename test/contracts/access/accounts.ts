/** Who may call each operation of accounts: a change here changes access. `account with read` is a session, or a key with that scope; of a session in the account of a team, one with that permission, and without one none. */
export const ACCOUNTS_ACCESS = `
accounts     Mutation.accountAddPassword                   session
accounts     Mutation.accountChangeEmail                   session
accounts     Mutation.accountChangePassword                session
accounts     Mutation.accountChooseLanguage                session with read
accounts     Mutation.accountChooseNotification            session
accounts     Mutation.accountChoosePush                    session
accounts     Mutation.accountClose                         session
accounts     Mutation.accountConfirmEmail                  session
accounts     Mutation.accountDeviceLink                    anyone
accounts     Mutation.accountRecover                       anyone
accounts     Mutation.accountResendVerification            anyone
accounts     Mutation.accountSetPassword                   anyone
accounts     Mutation.accountSetPreferences                session with read
accounts     Mutation.accountSignUp                        anyone
accounts     Mutation.accountVerifyEmail                   anyone
accounts     Mutation.announcementDismiss                  session with read
accounts     Mutation.apiKeyRequest                        session with keys
accounts     Mutation.apiKeyRequestRotation                session with keys
accounts     Mutation.apiKeyRevoke                         session with keys
accounts     Mutation.apiKeySetDocumentsOnly               session with keys
accounts     Mutation.apiKeySetOrderCeiling                session with pay
accounts     Mutation.apiKeyUseReport                      system
accounts     Mutation.billingDetailsSet                    session with pay
accounts     Mutation.cardAdd                              session with pay
accounts     Mutation.cardFinish                           session with pay
accounts     Mutation.cardMakeDefault                      session with pay
accounts     Mutation.cardRemove                           session with pay
accounts     Mutation.chatFinish                           anyone
accounts     Mutation.chatStart                            anyone
accounts     Mutation.chatUnlink                           session
accounts     Mutation.connectedAppAdd                      system
accounts     Mutation.connectedAppRemove                   session with keys
accounts     Mutation.consentGive                          session
accounts     Mutation.identityCheckBegin                   session
accounts     Mutation.identityNoticeReceive                system
accounts     Mutation.impersonationEnd                     anyone
accounts     Mutation.keyOrderPlace                        key with plans or session with pay
accounts     Mutation.oauthRecordConsume                   system
accounts     Mutation.oauthRecordRemove                    system
accounts     Mutation.oauthRecordStore                     system
accounts     Mutation.oauthRegistrationCount               system
accounts     Mutation.orderCancel                          session with pay
accounts     Mutation.orderOpenCheckout                    session with pay
accounts     Mutation.orderPlace                           session with pay
accounts     Mutation.passkeyAdd                           session
accounts     Mutation.passkeyRemove                        session
accounts     Mutation.passkeySignIn                        anyone
accounts     Mutation.passkeySignInStart                   anyone
accounts     Mutation.passkeyStart                         session
accounts     Mutation.pushDeviceAdd                        session
accounts     Mutation.pushDeviceRemove                     session
accounts     Mutation.pushDeviceTest                       session
accounts     Mutation.recoveryCodesRenew                   session
accounts     Mutation.registeredDocumentRemove             session with keys
accounts     Mutation.registeredDocumentsAdd               system
accounts     Mutation.salesRequestSend                     session with pay
accounts     Mutation.serverCancel                         key with servers or session with pay
accounts     Mutation.serverKeep                           key with servers or session with pay
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
accounts     Mutation.subscriptionCancel                   session with pay
accounts     Mutation.subscriptionKeep                     session with pay
accounts     Mutation.subscriptionPayNow                   session with pay
accounts     Mutation.subscriptionSetCard                  session with pay
accounts     Mutation.subscriptionSetMethod                session with pay
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
accounts     Mutation.teamInvitationWithdraw               session with team
accounts     Mutation.teamInvite                           session with team
accounts     Mutation.teamJoin                             session with read
accounts     Mutation.teamLeave                            session with read
accounts     Mutation.teamMemberChange                     session with team
accounts     Mutation.teamMemberRemove                     session with team
accounts     Mutation.teamSetName                          session with team
accounts     Mutation.teamSwitch                           session with read
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
accounts     Query.keyOrders                               key with plans or session with keys
accounts     Query.legalTexts                              anyone
accounts     Query.me                                      anyone
accounts     Query.oauthRecord                             system
accounts     Query.order                                   account with billing
accounts     Query.orderPreview                            session with pay
accounts     Query.paymentsState                           system
accounts     Query.registeredDocumentText                  system
accounts     Query.registeredDocuments                     key with read or session with keys
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
accounts     Query.teamInvitation                          session with read
accounts     Query.webhookEndpoint                         key with read or session with webhooks
accounts     Query.webhookEndpoints                        key with read or session with webhooks
accounts     Query.webhookEventTypes                       account with read
accounts     Query.webhookEvents                           key with read or session with webhooks
accounts     Subscription.orderChanged                     session with billing
accounts     Subscription.subscriptionChanged              session with billing`;
