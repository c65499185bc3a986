// The configuration of webhooks: in which networks customers' end points may be.
import { type Config, configPart } from '#platform/config.ts';
import { networks } from '#platform/config-values.ts';
import type { OutsideRules } from '#platform/outside-address.ts';

export const webhooksConfiguration = configPart({
  WEBHOOK_PRIVATE_NETWORKS: [
    networks.optional(),
    'networks beside the internet that webhooks and push may go to, also by http: 127.0.0.0/8 to develop; separated by commas',
  ],
  WEBHOOK_FORBIDDEN_NETWORKS: [
    networks.optional(),
    "the operator's own public networks that webhooks and push never go to, beside this machine's addresses; separated by commas",
  ],
});

/** Where addresses that customers and OAuth clients name may lead. */
export function outsideRulesOf(config: Config): OutsideRules {
  const { WEBHOOK_PRIVATE_NETWORKS: privateNetworks = [], WEBHOOK_FORBIDDEN_NETWORKS: forbiddenNetworks = [] } =
    webhooksConfiguration.of(config);
  return { privateNetworks, forbiddenNetworks };
}
