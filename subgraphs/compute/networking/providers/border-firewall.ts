// The firewall of the router in front of dedicated servers, in our words.
import type { Finding } from '#platform/vendor-check.ts';
import type { FirewallRule } from '../domain/firewall.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';

/** A server as the router knows it. */
export interface GuardedServer {
  id: string;
  /** Null: its address has gone back, and nothing can be set for it any more. */
  ip: string | null;
  /** The number of the one rule that leads to those of this server: its address's own. */
  place: number;
}

export interface BorderFirewall {
  /**
   * Makes the rules for what comes to a server these, all of them at once: what fits none is dropped. Not enabled: the router knows nothing of that server.
   * What is so already is left alone. May throw BorderFirewallTrouble, after which nobody knows whether it happened.
   */
  setFirewall(server: GuardedServer, firewall: { enabled: boolean; rules: readonly FirewallRule[] }): Promise<void>;
  /** Whether it lets us in. Throws what keeps it from being asked. */
  check(): Promise<Finding[]>;
}

export class BorderFirewallTrouble extends VendorTrouble {}
