// The data that the gateway puts into every page: the operator's name and addresses, and on public pages the first answers of their queries.
export interface Installation {
  brand: string;
  supportEmail: string;
  proxyHost: string;
  /** Of one plan, at one proxy node. */
  connectionsPerPlan: number;
  /** Set when the built-in sandbox stands in for the outside world. */
  sandbox: { mailUrl: string; networkUrl: string } | null;
  /** The path of the operator's own logo; null: the built-in mark. */
  logo: string | null;
  /** Requests of one key, and subscriptions of one WebSocket. */
  limits: { requestsPerMinute: number; subscriptionsPerConnection: number };
  /** First answers, by the name of the operation in `ops/public.ts`. */
  answers: Readonly<Record<string, unknown>>;
}

/** For pages that are drawn while the dashboard is built; nobody sees them. */
const NOBODY: Installation = {
  brand: '',
  supportEmail: '',
  proxyHost: '',
  connectionsPerPlan: 0,
  sandbox: null,
  logo: null,
  limits: { requestsPerMinute: 0, subscriptionsPerConnection: 0 },
  answers: {},
};

const given: Installation | null | undefined =
  globalThis.document === undefined
    ? globalThis.installation
    : (JSON.parse(document.getElementById('installation')?.textContent || 'null') as Installation | null);

export const installation: Installation = given ?? NOBODY;
