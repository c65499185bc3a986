// How each assistant is connected, what it can do then, and what it cannot.
import { MCP_TOOLS } from '../../schema/limits.ts';
import { mcpClients } from '../../schema/mcp-clients.ts';
import { type Block, type DocsPage, code, heading, list, paragraph } from './page.ts';

export function assistantsPage(publicUrl: string): DocsPage {
  const address = new URL('/mcp', publicUrl).href;
  return {
    path: '/docs/assistants',
    title: 'Assistants',
    summary: `An MCP server with ${MCP_TOOLS} tools for AI assistants, over the same account and with the same limits as the API.`,
    blocks: [
      heading('Connect'),
      paragraph(
        `The address is \`${address}\`, over Streamable HTTP. An assistant that can sign in needs nothing else: it opens a page of the dashboard, where you choose which of your keys it works by and which of its rights it gets. Every other one sends an API key.`,
      ),
      ...mcpClients(address, 'proxies').flatMap(({ name, file, code: text }): Block[] => [
        paragraph(file ? `${name}, in \`${file}\`:` : `${name}:`),
        code(file ? (file.endsWith('.toml') ? 'toml' : 'json') : 'sh', text),
      ]),
      heading('What to ask for'),
      list(
        '“Make ten sticky lines in Germany for an hour”: `generate_residential_proxies`, after `list_locations` where a place is not clear.',
        '“How much is left, and where did it go?”: `get_residential_usage`, `get_usage_breakdown`.',
        '“Why does this line fail?”: `check_proxy_line` reads it, `test_proxy_line` sends a real request through it; through that of a static address `test_static_line`.',
        '“Reboot the server web-1”: `list_servers`, `reboot_server`, `get_server_operation` until it has ended. Only by a key that may.',
      ),
      heading('What it is told'),
      list(
        'A refusal names the input that is wrong and in `allowed` what would be accepted; an input that no tool has is refused by name. A tool that the scopes of its key refuse is not listed.',
        'Thousands of lines come once, as structured content with a link to read them again; a short summary is the text.',
        'Resources (`egress://plans`, `egress://plans/{product}/usage`, and others) can be read without calling a tool, and prompts begin common work.',
      ),
      heading('End it'),
      paragraph(
        'Developers in the dashboard lists what was let in, beside the keys, with when it was last used: removing it ends its tokens at once.',
      ),
    ],
  };
}
