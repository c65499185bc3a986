// Consoles of machines at Proxmox VE. The text console must be opened by a user with a password, whose ticket is sent as a cookie: the terminal proxy checks
// its caller at POST /access/ticket, which refuses the name of an API token (luthermonson/go-proxmox issue 221). From release 9.2 on it checks the console's
// own ticket instead, so a token works (qemu-server 9.2.6, PVE/API2/Qemu.pm, termproxy).
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

/** The `openConsole` of the hypervisor: starts a proxy on the machine's node, and returns its WebSocket. */
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
      // The WebSocket must be opened with the credentials that started the proxy.
      authorization: cookie ? '' : client.authorization,
      ...(cookie && { cookie: cookie.cookie }),
      ...(authorities !== undefined && { authorities }),
      user,
      ticket,
      password: password ?? null,
    };
  },
});

/** Signs in as a user. The ticket is valid for two hours, and a console needs it only at its beginning. */
export async function signIn(client: ProxmoxClient, { user, password }: { user: string; password: string }) {
  const { ticket, CSRFPreventionToken: csrf } = await client.call<SignedIn>('POST', '/access/ticket', { username: user, password }, {});
  return { cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`, csrf };
}
