// Where outside systems are reached: at the vendor when it is configured, else at the sandbox when that runs. Each part of the program declares its own
// vendors.
import type { Config } from './config.ts';

/** The sandbox, from the side of its callers. */
export interface SandboxAccess {
  /** A port on loopback. Throws when the sandbox has none of this name. */
  port(name: string): number;
  url(name: string): string;
  /** A credential or a name that the sandbox accepts. Throws for an unknown one. */
  accepts(name: string): string;
}

/** An outside system, from the side of its callers. */
export interface Vendor<Terms> {
  name: string;
  terms(config: Config, sandbox: SandboxAccess | undefined): Terms;
}

interface Places<Terms> {
  name: string;
  /** Undefined when the vendor is not configured. */
  configured(config: Config): Terms | undefined;
  /** The sandbox's replacement. */
  played(sandbox: SandboxAccess, config: Config): Terms | undefined;
}

/** A vendor that the platform can do without: its terms are undefined when it is neither configured nor replaced by the sandbox. */
export const vendor = <Terms>({ name, configured, played }: Places<Terms>): Vendor<Terms | undefined> => ({
  name,
  terms: (config, sandbox) => configured(config) ?? (sandbox && played(sandbox, config)),
});

/** A vendor whose variables are `needed`: without them the configuration is refused, unless the sandbox runs. */
export function neededVendor<Terms>(places: Places<Terms>): Vendor<Terms> {
  const { name, terms } = vendor(places);
  return {
    name,
    terms(config, sandbox) {
      const found = terms(config, sandbox);
      if (found === undefined) throw new Error(`${name} is neither configured nor played`);
      return found;
    },
  };
}

/** Returns the terms of a vendor; each caller asks for the vendors that it knows. */
export interface Vendors {
  of<Terms>(vendor: Vendor<Terms>): Terms;
}

/** `sandbox`: undefined when it does not run. */
export const vendorsOf = (config: Config, sandbox: SandboxAccess | undefined): Vendors => ({ of: ({ terms }) => terms(config, sandbox) });
