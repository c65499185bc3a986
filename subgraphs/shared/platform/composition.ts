// What a process is told of the whole that it is a part of: which configuration it reads, and where outside systems answer.
import { type Config, type ConfigPart, readConfig } from './config.ts';
import type { Secrets } from './secrets.ts';
import { type SandboxAccess, type Vendors, vendorsOf } from './vendors.ts';

export interface Composition {
  parts: readonly ConfigPart[];
  /** Throws one StartFailure with a sentence per wrong value. */
  readConfig(environment: Record<string, string | undefined>): Config;
  vendorsOf(config: Config, secrets: Secrets): Vendors;
}

/** The sandbox, as those see it who may call it. */
export interface Sandbox {
  /** It runs unless all of these variables are set: in every process alike, also in one that reads none of them. */
  unlessSet: readonly string[];
  access(config: Config, secrets: Secrets): SandboxAccess;
}

/** Of a process that reads these parts, and calls the sandbox where that runs. */
export const compositionOf = (parts: readonly ConfigPart[], sandbox: Sandbox): Composition => ({
  parts,
  readConfig: (environment) => readConfig(parts, environment, sandbox.unlessSet),
  vendorsOf: (config, secrets) => vendorsOf(config, config.SANDBOX ? sandbox.access(config, secrets) : undefined),
});
