// Our interface to the firewall of the router in front of dedicated servers.
import type { Finding } from '#platform/vendor-check.ts';
import type { FirewallRule } from '../domain/firewall.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';

/** A server as the router knows it. */
export interface GuardedServer {
  id: string;
  /** Null: its address was given back, so rules can only be removed. */
  ip: string | null;
  /** The number of the one rule that leads to this server's rules; it belongs to the server's address. */
  place: number;
}

export interface BorderFirewall {
  /**
   * Sets all rules for a server's incoming traffic at once: traffic that matches none is dropped. Not enabled: all rules of the server are removed. What is set
   * already is not set again. May throw BorderFirewallTrouble; it is then unknown whether the change happened.
   */
  setFirewall(server: GuardedServer, firewall: { enabled: boolean; rules: readonly FirewallRule[] }): Promise<void>;
  /** Checks that the router accepts our key. Throws if it cannot be reached. */
  check(): Promise<Finding[]>;
}

export class BorderFirewallTrouble extends VendorTrouble {}
