// Where outside systems answer: the vendors themselves where they are configured, else the sandbox, where that runs. Each room says so of its own.
import type { Config } from './config.ts';

/** The sandbox, as those see it who call it. */
export interface SandboxAccess {
  /** On loopback. Throws for a name that it does not have. */
  port(name: string): number;
  url(name: string): string;
  /** A credential or a name that it takes from us. Throws for one that it does not know. */
  accepts(name: string): string;
}

/** An outside system, as the room sees it that calls it. */
export interface Vendor<Terms> {
  name: string;
  terms(config: Config, sandbox: SandboxAccess | undefined): Terms;
}

interface Places<Terms> {
  name: string;
  /** Undefined: it is not configured. */
  configured(config: Config): Terms | undefined;
  /** What the sandbox gives instead. */
  played(sandbox: SandboxAccess, config: Config): Terms | undefined;
}

/** Of one that the platform can do without: undefined where it is neither configured nor played. */
export const vendor = <Terms>({ name, configured, played }: Places<Terms>): Vendor<Terms | undefined> => ({
  name,
  terms: (config, sandbox) => configured(config) ?? (sandbox && played(sandbox, config)),
});

/** Of one whose variables are `needed`: a configuration without them is refused where the sandbox does not run. */
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

/** Everybody reads the terms of the vendors that they know. */
export interface Vendors {
  of<Terms>(vendor: Vendor<Terms>): Terms;
}

/** `sandbox` undefined: it does not run. */
export const vendorsOf = (config: Config, sandbox: SandboxAccess | undefined): Vendors => ({ of: ({ terms }) => terms(config, sandbox) });
