import type { Hypervisor } from '../hypervisor.ts';
import type { ProxmoxClient } from './client.ts';

interface Proxy {
  user: string;
  ticket: string;
  port: string | number;
  password?: string;
}

/** The `openConsole` of a hypervisor: a proxy at the machine's node, and where its WebSocket waits. */
export const consolesOf = (client: ProxmoxClient): Pick<Hypervisor, 'openConsole'> => ({
  async openConsole(ref, kind) {
    const [proxy, body]: [string, Record<string, string>] =
      kind === 'TEXT' ? ['termproxy', { serial: 'serial0' }] : ['vncproxy', { websocket: '1', 'generate-password': '1' }];
    const { user, ticket, port, password } = await client.call<Proxy>('POST', `${client.at(ref)}/${proxy}`, body);
    const query = new URLSearchParams({ port: String(port), vncticket: ticket });
    return {
      url: `${client.terms.url.replace(/^http/, 'ws')}/api2/json${client.at(ref)}/vncwebsocket?${query}`,
      authorization: client.authorization,
      user,
      ticket,
      password: password ?? null,
    };
  },
});
