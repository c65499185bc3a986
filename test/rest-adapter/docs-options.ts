// What the documents say of proxy nodes in the tests.
import type { DocsOptions } from '../../rest-adapter/docs/site.ts';

export const DOCS: Pick<DocsOptions, 'proxyRules' | 'colours'> = {
  proxyRules: {
    connectionsPerPlan: 1_000,
    idleSeconds: 300,
    headSeconds: 10,
    headBytes: 16_384,
    connectSeconds: 15,
    keepAliveSeconds: 60,
    overUseBytes: 2_000_000,
    forbiddenPorts: [25, 445],
  },
  colours: '',
};
