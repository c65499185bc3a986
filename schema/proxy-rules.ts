/** What proxies of this installation go by, in seconds and bytes; `edge/proxy-rules.ts` makes them of its settings. */
export interface ProxyRules {
  connectionsPerPlan: number;
  idleSeconds: number;
  headSeconds: number;
  headBytes: number;
  connectSeconds: number;
  keepAliveSeconds: number;
  /** What a plan can use beyond its limit, at most: two leases of a node that is cut off. */
  overUseBytes: number;
  /** Null: the operator has own rules, which may differ by product. */
  forbiddenPorts: readonly number[] | null;
}
