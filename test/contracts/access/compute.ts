/** Who may call each operation of compute: a change here changes access. `account with read` is a session, or a key with that scope; of a session in the account of a team, one with that permission, and without one none. */
export const COMPUTE_ACCESS = `
compute      Mutation.consoleRedeem                        system
compute      Mutation.dedicatedServerForceStop             account with servers
compute      Mutation.dedicatedServerOpenConsole           session with servers
compute      Mutation.dedicatedServerReboot                account with servers
compute      Mutation.dedicatedServerReinstall             account with servers
compute      Mutation.dedicatedServerResetPassword         account with servers
compute      Mutation.dedicatedServerRevealPassword        session with servers
compute      Mutation.dedicatedServerStart                 account with servers
compute      Mutation.dedicatedServerStop                  account with servers
compute      Mutation.serverAct                            account with servers
compute      Mutation.serverLeaveRescue                    account with servers
compute      Mutation.serverProtect                        account with servers
compute      Mutation.serverReinstall                      account with servers
compute      Mutation.serverRename                         account with servers
compute      Mutation.serverRescue                         account with servers
compute      Mutation.serverRevealRescuePassword           session with servers
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
compute      Mutation.supportComputeAccountPriceAgree      staff with account_prices
compute      Mutation.supportComputeAccountPriceEnd        staff with account_prices
compute      Mutation.supportComputeAccountPriceRefuse     staff with account_prices
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
compute      Mutation.vpsOpenConsole                       session with servers
compute      Mutation.vpsReboot                            account with servers
compute      Mutation.vpsReinstall                         account with servers
compute      Mutation.vpsResetPassword                     account with servers
compute      Mutation.vpsRestore                           account with servers
compute      Mutation.vpsRevealPassword                    session with servers
compute      Mutation.vpsStart                             account with servers
compute      Mutation.vpsStop                              account with servers
compute      Mutation.vpsTakeBackup                        account with servers
compute      Query.computeData                             session
compute      Query.computeRules                            anyone
compute      Query.consoleMayStay                          system
compute      Query.dedicatedOffer                          key with plans or session with read
compute      Query.dedicatedPlans                          anyone
compute      Query.server                                  key with servers or session with read
compute      Query.servers                                 key with servers or session with read
compute      Query.serversState                            system
compute      Query.sshKeys                                 key with servers or session with read
compute      Query.supportComputeAccountPriceLowering      staff with account_prices
compute      Query.supportComputeAccountPricePreview       staff with account_prices
compute      Query.supportComputeAccountPrices             staff with customers
compute      Query.supportComputeAccountPricesWaiting      staff with account_prices
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
compute      Query.vpsBackupsOffer                         session with pay
compute      Query.vpsExtraIpv4Offer                       session with pay
compute      Query.vpsLocations                            anyone
compute      Query.vpsOffer                                key with plans or session with read
compute      Query.vpsPlans                                anyone
compute      Query.vpsUpgradeOffer                         session with pay
compute      Subscription.dedicatedServerChanged           key with servers or session with read
compute      Subscription.dedicatedServerMetricsChanged    key with servers or session with read
compute      Subscription.vpsChanged                       key with servers or session with read
compute      Subscription.vpsMetricsChanged                key with servers or session with read`;
