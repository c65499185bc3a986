// How each assistant is connected to the MCP server: one text to copy per client.
export interface McpClient {
  name: string;
  /** The file for the text; absent when the text is a command. */
  file?: string;
  code: string;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

export function mcpClients(url: string, name: string): McpClient[] {
  const headers = { Authorization: 'Bearer YOUR_API_KEY' };
  return [
    {
      name: 'Claude Code',
      code: `claude mcp add --transport http ${name} \\\n  ${url} \\\n  --header "Authorization: Bearer YOUR_API_KEY"`,
    },
    { name: 'Codex', file: '~/.codex/config.toml', code: `[mcp_servers.${name}]\nurl = "${url}"\nbearer_token_env_var = "API_KEY"` },
    { name: 'Cursor', file: '.cursor/mcp.json', code: json({ mcpServers: { [name]: { url, headers } } }) },
    { name: 'VS Code', file: '.vscode/mcp.json', code: json({ servers: { [name]: { type: 'http', url, headers } } }) },
  ];
}
