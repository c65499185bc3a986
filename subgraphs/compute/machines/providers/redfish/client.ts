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
export interface Boot {
  BootSourceOverrideEnabled?: string;
  BootSourceOverrideTarget?: string;
  /** UEFI or Legacy. */
  BootSourceOverrideMode?: string;
}
export interface System {
  PowerState: 'On' | 'Off' | 'PoweringOn' | 'PoweringOff';
  LastResetTime?: string;
  Manufacturer?: string;
  Boot: Boot;
  '@Redfish.Settings'?: { SettingsObject?: Link };
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
interface Answer {
  status: number;
  text: string;
  tag?: string;
}
const isGood = (status: number): boolean => status >= 200 && status < 300;
const refused = (what: string, status: number, text: string) => new BareMetalTrouble(`${what}: ${status} ${text.slice(0, 300)}`);

function read(what: string, text: string): unknown {
  try {
    return text === '' ? {} : (JSON.parse(text) as unknown);
  } catch (error) {
    throw new BareMetalTrouble(`${what}: ${String(error)}`, { cause: error });
  }
}

const PRECONDITION_FAILED = 412;
/**
 * What is sent as If-Match, which some makes ask for (DSP0266, ETags): the tag as it is told; again, for one that somebody has changed in between or that takes
 * no weak tags; and none, for one that refuses its own tags (ansible-collections/community.general issue 11261).
 */
const TAGS: readonly ((tag: string) => string | undefined)[] = [(tag) => tag, (tag) => tag.replace(/^W\//, ''), () => undefined];

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
  async call<Data>(ref: ControllerRef, method: 'GET' | 'POST', path: string, body?: object): Promise<Data> {
    const { status, text } = await this.send(ref, method, path, body);
    if (!isGood(status)) throw refused(`${method} ${path}`, status, text);
    return read(`${method} ${path}`, text) as Data;
  }

  /** Changes a resource. */
  async patch(ref: ControllerRef, path: string, body: object): Promise<void> {
    for (const [tries, toMatch] of TAGS.entries()) {
      const { status: found, text: resource, tag } = await this.send(ref, 'GET', path);
      if (!isGood(found)) throw refused(`GET ${path}`, found, resource);
      const given = tag ?? (read(`GET ${path}`, resource) as { '@odata.etag'?: string })['@odata.etag'];
      const match = given === undefined ? undefined : toMatch(given);
      const { status, text } = await this.send(ref, 'PATCH', path, body, match);
      if (isGood(status)) return;
      if (status !== PRECONDITION_FAILED || tries === TAGS.length - 1) throw refused(`PATCH ${path}`, status, text);
    }
  }

  private async send(ref: ControllerRef, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, match?: string): Promise<Answer> {
    const what = `${method} ${path}`;
    try {
      const response = await request(`${ref.url}${path}`, {
        method,
        dispatcher: this.agent,
        headers: {
          authorization: authorizationOf(ref),
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...(match !== undefined && { 'if-match': match }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      const { etag } = response.headers;
      return { status: response.statusCode, text: await response.body.text(), ...(typeof etag === 'string' && { tag: etag }) };
    } catch (error) {
      throw new BareMetalTrouble(`${what}: ${String(error)}`, { cause: error });
    }
  }

  pathOf({ system }: ControllerRef): string {
    return `/redfish/v1/Systems/${encodeURIComponent(system)}`;
  }

  systemOf(ref: ControllerRef): Promise<System> {
    return this.call(ref, 'GET', this.pathOf(ref));
  }

  /** What is set of the next boot: some makes show it at the settings resource alone. */
  async bootOf(ref: ControllerRef, system: System): Promise<Boot> {
    const settings = system['@Redfish.Settings']?.SettingsObject?.['@odata.id'];
    if (settings === undefined || system.Boot.BootSourceOverrideEnabled === 'Once') return system.Boot;
    return (await this.call<{ Boot?: Boot }>(ref, 'GET', settings)).Boot ?? system.Boot;
  }

  /** Sets the next boot at the system, as the standard says, or where a make wants it instead: AMI's servers name the settings resource when they refuse. */
  async setBoot(ref: ControllerRef, system: System, boot: Boot): Promise<void> {
    const settings = system['@Redfish.Settings']?.SettingsObject?.['@odata.id'];
    try {
      await this.patch(ref, this.pathOf(ref), { Boot: boot });
    } catch (error) {
      if (settings === undefined || !(error instanceof BareMetalTrouble) || !/FutureStateURI/.test(error.message)) throw error;
      await this.patch(ref, settings, { Boot: boot });
    }
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
