// Static by itself, or a command of it: what it reads of the configuration, and the sandbox where that runs.
import { commerceConfiguration } from '#commerce/configuration.ts';
import { type Composition, compositionOf } from '#platform/composition.ts';
import { sandbox } from '#platform/sandbox-terms.ts';
import { lineConfiguration } from '../../edge/protocol/configuration.ts';
import { staticConfiguration } from './configuration.ts';

export const composition: Composition = compositionOf([commerceConfiguration, lineConfiguration, staticConfiguration], sandbox);
