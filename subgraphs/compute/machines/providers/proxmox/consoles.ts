// Consoles of machines at Proxmox VE. The text console is opened by a user with a password, whose ticket is a cookie: what serves it checks its caller at
// POST /access/ticket, which refuses the name of an API token (luthermonson/go-proxmox issue 221; qemu-server 9.2.6, PVE/API2/Qemu.pm, termproxy, checks the console's
// own ticket instead, so that from release 9.2 on a token does).
import type { Hypervisor } from '../hypervisor.ts';
import type { ProxmoxClient } from './client.ts';

interface Proxy {
  user: string;
  ticket: string;
  port: string | number;
  password?: string;
}
interface SignedIn {
  ticket: string;
  CSRFPreventionToken: string;
}

/** The `openConsole` of a hypervisor: a proxy at the machine's node, and where its WebSocket waits. */
export const consolesOf = (client: ProxmoxClient): Pick<Hypervisor, 'openConsole'> => ({
  async openConsole(ref, kind) {
    const [proxy, body]: [string, Record<string, string>] =
      kind === 'TEXT' ? ['termproxy', { serial: 'serial0' }] : ['vncproxy', { websocket: '1', 'generate-password': '1' }];
    const { console: login, authorities } = client.terms;
    const cookie = kind === 'TEXT' && login ? await signIn(client, login) : undefined;
    const signed = cookie && { cookie: cookie.cookie, csrfpreventiontoken: cookie.csrf };
    const { user, ticket, port, password } = await client.call<Proxy>('POST', `${client.at(ref)}/${proxy}`, body, signed);
    const query = new URLSearchParams({ port: String(port), vncticket: ticket });
    return {
      url: `${client.terms.url.replace(/^http/, 'ws')}/api2/json${client.at(ref)}/vncwebsocket?${query}`,
      // Whoever asked for it opens it.
      authorization: cookie ? '' : client.authorization,
      ...(cookie && { cookie: cookie.cookie }),
      ...(authorities !== undefined && { authorities }),
      user,
      ticket,
      password: password ?? null,
    };
  },
});

/** Its ticket holds for two hours, and a console asks for one at its beginning alone. */
export async function signIn(client: ProxmoxClient, { user, password }: { user: string; password: string }) {
  const { ticket, CSRFPreventionToken: csrf } = await client.call<SignedIn>('POST', '/access/ticket', { username: user, password }, {});
  return { cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`, csrf };
}
