/** Who may call each operation of static: a change here changes access. `account with read` is a session, or a key with that scope; of a session in the account of a team, one with that permission, and without one none. */
export const STATIC_ACCESS = `
static       Mutation.staticLineTest                       account with generate
static       Mutation.staticNetworkAdd                     account with plans
static       Mutation.staticNetworkRemove                  account with plans
static       Mutation.staticOfferMake                      key with plans or session with read
static       Mutation.staticPlanOfferFewer                 session with pay
static       Mutation.staticPlanOfferMore                  session with pay
static       Mutation.staticPlanReplacementConfirm         session with plans
static       Mutation.staticPlanReplacementPrepare         session with plans
static       Mutation.staticPlanRotatePassword             session with plans
static       Mutation.staticPlanSetAllowedAddresses        session with plans
static       Mutation.staticPlanSetAutoReplace             session with plans
static       Mutation.staticPlanSetCredentials             session with plans
static       Mutation.staticPlanSetLabel                   session with plans
static       Mutation.staticPlanSetLogIn                   account with plans
static       Mutation.staticStockUnwatch                   session with pay
static       Mutation.staticStockWatch                     session with pay
static       Mutation.supportStaticAccountPriceAgree       staff with account_prices
static       Mutation.supportStaticAccountPriceEnd         staff with account_prices
static       Mutation.supportStaticAccountPriceRefuse      staff with account_prices
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
static       Query.supportStaticAccountPriceLowering       staff with account_prices
static       Query.supportStaticAccountPricePreview        staff with account_prices
static       Query.supportStaticAccountPrices              staff with customers
static       Query.supportStaticAccountPricesWaiting       staff with account_prices
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
