// For accounts in a process of its own, and for its commands: the parts of the configuration that they read, and the sandbox where that runs.
import { commerceConfiguration } from '#commerce/configuration.ts';
import { type Composition, compositionOf } from '#platform/composition.ts';
import { retentionConfiguration } from '#platform/retention.ts';
import { sandbox } from '#platform/sandbox-terms.ts';
import { accountsConfiguration } from './configuration.ts';

export const composition: Composition = compositionOf([commerceConfiguration, retentionConfiguration, ...accountsConfiguration], sandbox);
