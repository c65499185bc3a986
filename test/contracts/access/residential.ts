/** Who may call each operation of residential: a change here changes access. `account with read` is a session, or a key with that scope; of a session in the account of a team, one with that permission, and without one none. */
export const RESIDENTIAL_ACCESS = `
residential  Mutation.clientNetworkAdd                     account with plans
residential  Mutation.clientNetworkRemove                  account with plans
residential  Mutation.generationPresetRemove               account with generate
residential  Mutation.generationPresetSave                 account with generate
residential  Mutation.proxyBatchMakeAddress                session with generate
residential  Mutation.proxyBatchRevokeAddress              session with generate
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
residential  Mutation.residentialPlanResetAuthentication   session with plans
residential  Mutation.residentialPlanSetAlerts             account with plans
residential  Mutation.residentialPlanSetAutoTopUp          key with plans or session with pay
residential  Mutation.residentialPlanSetDailyLimit         session with plans
residential  Mutation.residentialPlanSetLabel              session with plans
residential  Mutation.residentialPlanSetLogIn              account with plans
residential  Mutation.residentialPlanSetRequestLog         account with plans
residential  Mutation.residentialPlanTopUp                 key with plans or session with pay
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
residential  Mutation.supportResidentialAccountPriceAgree  staff with account_prices
residential  Mutation.supportResidentialAccountPriceEnd    staff with account_prices
residential  Mutation.supportResidentialAccountPriceRefuse staff with account_prices
residential  Mutation.supportResidentialAccountPriceSet    staff with account_prices
residential  Mutation.supportResidentialCatalogueSet       staff with catalogue
residential  Mutation.supportResidentialCatalogueWithdraw  staff with catalogue
residential  Mutation.supportResidentialJobAgain           staff with events
residential  Mutation.usageHostsChoose                     session with team
residential  Mutation.usageReportReceive                   system
residential  Query.generationPresets                       account with generate
residential  Query.proxyLineCheck                          account with generate
residential  Query.proxyList                               system
residential  Query.proxyPools                              account with read
residential  Query.proxyUser                               account with read
residential  Query.proxyUserUse                            system
residential  Query.proxyUsers                              account with read
residential  Query.residentialData                         session
residential  Query.residentialOffer                        key with plans or session with read
residential  Query.residentialPlan                         account with read
residential  Query.residentialPlans                        account with read
residential  Query.residentialProducts                     anyone
residential  Query.residentialProxies                      account with generate
residential  Query.residentialProxyBatch                   account with generate
residential  Query.residentialProxyPreview                 account with generate
residential  Query.residentialRules                        anyone
residential  Query.residentialState                        system
residential  Query.residentialTopUpOffer                   key with plans or session with read
residential  Query.residentialUsageOfPlans                 account with read
residential  Query.supportAddressUse                       staff with address_use
residential  Query.supportEdge                             staff with nodes
residential  Query.supportEdges                            staff with nodes
residential  Query.supportGateway                          staff with nodes
residential  Query.supportGatewayPresets                   staff with nodes
residential  Query.supportGateways                         staff with nodes
residential  Query.supportHeldUsage                        staff with usage
residential  Query.supportResidentialAccountPriceLowering  staff with account_prices
residential  Query.supportResidentialAccountPricePreview   staff with account_prices
residential  Query.supportResidentialAccountPrices         staff with customers
residential  Query.supportResidentialAccountPricesWaiting  staff with account_prices
residential  Query.supportResidentialCatalogue             staff with catalogue
residential  Query.supportResidentialCataloguePreview      staff with catalogue
residential  Query.supportResidentialFailedJobs            staff with events
residential  Query.supportResidentialOffer                 staff with sales
residential  Query.supportResidentialPlans                 staff with customers
residential  Query.usageHosts                              account with read
residential  Subscription.residentialPlanChanged           account with read
residential  Subscription.residentialRequestsLogged        account with read
residential  Subscription.residentialUsageChanged          account with read
residential  Subscription.supportEdgeChanged               staff with nodes`;
