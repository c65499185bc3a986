// What the gateway puts into every page it hands out: the operator's name and addresses, and on public pages the answers they begin with.
export interface Installation {
  brand: string;
  supportEmail: string;
  proxyHost: string;
  /** Present where the outside world is the built-in sandbox. */
  sandbox: { mailUrl: string; networkUrl: string } | null;
  /** The operator's own logo, an image of this origin; null: the built-in mark. */
  logo: string | null;
  /** Of one key or session, and of one WebSocket. */
  limits: { requestsPerMinute: number; subscriptionsPerConnection: number };
  /** By the name of the operation in `ops/public.ts`. */
  answers: Readonly<Record<string, unknown>>;
}

/** For pages that are drawn while the dashboard is built; nobody sees them. */
const NOBODY: Installation = {
  brand: '',
  supportEmail: '',
  proxyHost: '',
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
