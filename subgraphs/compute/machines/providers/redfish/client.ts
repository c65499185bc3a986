// HTTP client of a Redfish controller. Apart from the path of the system, it assumes no paths below /redfish/v1, but follows links from the system.
import { Agent, request } from 'undici';
import { BareMetalTrouble, type ControllerRef, type MediumSlot } from '../bare-metal.ts';

/** Controllers are slow computers. */
const TIMEOUT_MS = 20_000;

export interface Link {
  '@odata.id': string;
}
interface Action {
  target: string;
}
export interface System {
  PowerState: 'On' | 'Off' | 'PoweringOn' | 'PoweringOff';
  LastResetTime?: string;
  Boot: { BootSourceOverrideEnabled?: string; BootSourceOverrideTarget?: string };
  Links: { ManagedBy?: Link[]; Chassis?: Link[] };
  VirtualMedia?: Link;
  SerialConsole?: { WebSocket?: { ConsoleURI?: string; ServiceEnabled?: boolean } };
  GraphicalConsole?: { ServiceEnabled?: boolean; ConnectTypesSupported?: string[] };
  Actions: { '#ComputerSystem.Reset': Action };
}
export interface Medium extends Link {
  MediaTypes: string[];
  Image: string | null;
  Inserted: boolean;
  Actions: { '#VirtualMedia.InsertMedia': Action; '#VirtualMedia.EjectMedia': Action };
}
/** The timeout, and authorities to trust besides the usual ones. */
export interface RedfishTerms {
  timeoutMs?: number;
  authorities?: string;
}

export class RedfishClient {
  private readonly agent: Agent;
  private readonly timeoutMs: number;

  constructor({ timeoutMs = TIMEOUT_MS, authorities }: RedfishTerms) {
    this.timeoutMs = timeoutMs;
    this.agent = new Agent({ connections: 4, ...(authorities !== undefined && { connect: { ca: authorities } }) });
  }

  /** Basic authentication: sessions would have to be ended in every case, and controllers allow only a few. */
  async call<Data>(ref: ControllerRef, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Data> {
    const what = `${method} ${path}`;
    try {
      const response = await request(`${ref.url}${path}`, {
        method,
        dispatcher: this.agent,
        headers: {
          authorization: authorizationOf(ref),
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      const text = await response.body.text();
      if (response.statusCode >= 200 && response.statusCode < 300) return (text === '' ? {} : JSON.parse(text)) as Data;
      throw new BareMetalTrouble(`${what}: ${response.statusCode} ${text.slice(0, 300)}`);
    } catch (error) {
      if (error instanceof BareMetalTrouble) throw error;
      throw new BareMetalTrouble(`${what}: ${String(error)}`, { cause: error });
    }
  }

  pathOf({ system }: ControllerRef): string {
    return `/redfish/v1/Systems/${encodeURIComponent(system)}`;
  }

  systemOf(ref: ControllerRef): Promise<System> {
    return this.call(ref, 'GET', this.pathOf(ref));
  }

  async medium(ref: ControllerRef, slot: MediumSlot): Promise<Medium> {
    return (await this.mediaOf(ref, await this.systemOf(ref)))[slot];
  }

  /** On newer controllers media belong to the system, on older ones to its manager. The first medium that takes discs is the boot slot, another one the seed. */
  async mediaOf(ref: ControllerRef, system: System): Promise<Record<MediumSlot, Medium>> {
    let collection = system.VirtualMedia?.['@odata.id'];
    const manager = system.Links.ManagedBy?.[0]?.['@odata.id'];
    if (collection === undefined && manager !== undefined)
      collection = (await this.call<{ VirtualMedia?: Link }>(ref, 'GET', manager)).VirtualMedia?.['@odata.id'];
    if (collection === undefined) throw new BareMetalTrouble('the controller has no virtual media');
    const { Members } = await this.call<{ Members: Link[] }>(ref, 'GET', collection);
    const all = await Promise.all(Members.map((member) => this.call<Medium>(ref, 'GET', member['@odata.id'])));
    const boot = all.find(({ MediaTypes }) => MediaTypes.includes('CD') || MediaTypes.includes('DVD'));
    const seed = all.find((medium) => medium !== boot);
    if (!boot || !seed) throw new BareMetalTrouble('the controller has too few virtual media');
    return { boot, seed };
  }

  close(): Promise<void> {
    return this.agent.close();
  }
}

export const authorizationOf = ({ username, password }: ControllerRef): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
