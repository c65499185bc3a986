// How a process is composed: which configuration it reads, and at which addresses it reaches outside systems.
import { type Config, type ConfigPart, readConfig } from './config.ts';
import type { Secrets } from './secrets.ts';
import { type SandboxAccess, type Vendors, vendorsOf } from './vendors.ts';

export interface Composition {
  parts: readonly ConfigPart[];
  /** Throws one StartFailure with a sentence per wrong value. */
  readConfig(environment: Record<string, string | undefined>): Config;
  vendorsOf(config: Config, secrets: Secrets): Vendors;
}

/** The sandbox, from the side of its callers. */
export interface Sandbox {
  /** The sandbox runs unless all of these variables are set. This holds in every process, even in one that reads none of them. */
  unlessSet: readonly string[];
  access(config: Config, secrets: Secrets): SandboxAccess;
}

/** The composition of a process that reads these parts, and calls the sandbox when it runs. */
export const compositionOf = (parts: readonly ConfigPart[], sandbox: Sandbox): Composition => ({
  parts,
  readConfig: (environment) => readConfig(parts, environment, sandbox.unlessSet),
  vendorsOf: (config, secrets) => vendorsOf(config, config.SANDBOX ? sandbox.access(config, secrets) : undefined),
});
