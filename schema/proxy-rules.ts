/** What proxies of this installation go by, in seconds and bytes; `edge/proxy-rules.ts` makes them of its settings. */
export interface ProxyRules {
  connectionsPerPlan: number;
  idleSeconds: number;
  headSeconds: number;
  headBytes: number;
  connectSeconds: number;
  keepAliveSeconds: number;
  overUseBytes: number;
  /** Null: the operator has own rules. */
  forbiddenPorts: readonly number[] | null;
}
