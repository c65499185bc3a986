// How the feeds of the graph begin: what one subscriber may share with another depends on it.

/**
 * NEWS: tells what happens from now on, so that whoever comes later may listen to a feed that is open already.
 * STATE: begins with how things are now, so that only those who come before its first event may share it.
 */
export type FeedKind = 'NEWS' | 'STATE';

/** By field of `Subscription`. A field that is missing here counts as STATE. */
export const FEEDS: Readonly<Record<string, FeedKind>> = {
  dedicatedServerChanged: 'NEWS',
  dedicatedServerMetricsChanged: 'NEWS',
  orderChanged: 'STATE',
  residentialPlanChanged: 'NEWS',
  residentialRequestsLogged: 'NEWS',
  residentialUsageChanged: 'STATE',
  staticPlanChanged: 'NEWS',
  subscriptionChanged: 'STATE',
  supportEdgeChanged: 'NEWS',
  vpsChanged: 'NEWS',
  vpsMetricsChanged: 'NEWS',
};
