// The settings that the gateway reads from the configuration.
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { count, url } from '#platform/config-values.ts';

export const gatewayConfiguration = configPart({
  REDIS_URL: [url('redis', 'rediss').optional(), 'shares rate limits between several gateway processes'],
  GRAPHQL_WITHOUT_KEY: [
    z.enum(['known', 'any']).optional(),
    'GraphQL documents that are answered without a key: any, or those of the dashboard (known, the default in production)',
  ],
  GRAPH_POLL_SECONDS: [
    count(1).optional(),
    'how often the gateway asks subgraphs in other processes for their contracts, to follow changes; default: never',
  ],
  GRAPH_DOCUMENTS_DIR: [
    z.string().min(1).optional(),
    "a folder of partners' GraphQL documents, which every graph has to answer that is followed",
  ],
  BRAND_COLOUR: [
    z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'must be a colour as #rrggbb')
      .optional(),
    "the dashboard's accent, as #rrggbb; moved as far as text in it needs to stay readable",
  ],
  BRAND_LOGO_FILE: [z.string().min(1).optional(), 'an .svg, .png or .webp beside the name; without it the built-in mark'],
});
