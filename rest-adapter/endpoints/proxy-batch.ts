// The lines of a generation in REST and MCP: their form in answers.
import { z } from 'zod';

export interface ProxyBatchResult {
  id: string;
  count: number;
  text: string;
}

export const PROXY_BATCH_FIELDS = /* GraphQL */ `
  id
  count
  text
`;

export const PROXY_BATCH = z.object({
  proxies: z.array(z.string()).describe('host:port:username:password'),
  count: z.int().min(0).describe('Number of lines.'),
  // The Spec does not name this field: the id of this generation.
  batch_id: z.string().describe('Identifier of this generation.'),
});

/**
 * The graph answers the lines as one text, which makes thousands of them cheap. Quoting and joining the lines by hand, without JSON.stringify, was measured and is
 * no faster than split and JSON.stringify.
 */
const toLines = (text: string): string[] => (text === '' ? [] : text.split('\n'));

export const toProxyBatch = ({ id, count, text }: ProxyBatchResult): z.infer<typeof PROXY_BATCH> => ({
  proxies: toLines(text),
  count,
  batch_id: id,
});

export const EXAMPLE_BATCH = {
  proxies: [
    'proxy.example:7777:u7k2m9-country-de-session-48120394-sessionttl-30:s3cr3tpass',
    'proxy.example:7777:u7k2m9-country-de-session-48120395-sessionttl-30:s3cr3tpass',
  ],
  count: 2,
  batch_id: 'batch_01jd8x4m2c7n5q9r3t6v8w0y1z',
};
