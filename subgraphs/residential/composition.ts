// What residential alone, or one of its commands, starts with: the parts of the configuration that it reads, and the sandbox where that is switched on.
import { commerceConfiguration } from '#commerce/configuration.ts';
import { lineTestConfiguration } from '#lines/configuration.ts';
import { type Composition, compositionOf } from '#platform/composition.ts';
import { retentionConfiguration } from '#platform/retention.ts';
import { sandbox } from '#platform/sandbox-terms.ts';
import { lineConfiguration } from '../../edge/protocol/configuration.ts';
import { meteringConfiguration } from './metering/configuration.ts';

export const composition: Composition = compositionOf(
  [commerceConfiguration, retentionConfiguration, lineConfiguration, meteringConfiguration, lineTestConfiguration],
  sandbox,
);
