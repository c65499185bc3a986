// How controllers of several makes differ where a machine's next boot is set. Written by us from what people have met:
// - OPENBMC: as the standard says, DSP0266 and the schema ComputerSystem v1_20_0.
// - LENOVO, with AMI's server (ThinkSystem SR655): a change needs If-Match with the present ETag. stmcginnis/gofish issue 171.
// - ASROCK, with AMI's newer server (WRX80 Creator R2.0): the next boot is set, and shown, at the settings resource alone, and needs If-Match there.
//   DMTF/Redfish-Tacklebox issues 111 and 144; ansible-collections/community.general pull request 6434.
// - SUPERMICRO: a change that does not name the boot mode puts it back to its default. DMTF/Redfishtool pull request 106.
// - HPE (ProLiant): the boot mode cannot be written, not even as it is. ansible-collections/community.general issue 3509.
export const MAKES = ['OPENBMC', 'LENOVO', 'ASROCK', 'SUPERMICRO', 'HPE'] as const;
export type Make = (typeof MAKES)[number];
export type BootMode = 'UEFI' | 'Legacy';

/** A machine, as far as its controller's make matters. */
interface Made {
  /** Absent in the state of an earlier version. */
  make?: Make;
  /** How often its next boot was set. */
  changes?: number;
}

interface Manners {
  needsIfMatch?: true;
  /** The next boot is in a resource of its own. */
  bootAtSettings?: true;
  /** What becomes of a boot mode that is not named, or cannot be. */
  mode?: 'reset' | 'fixed';
}

/** As a system tells it. */
export const MANUFACTURERS: Record<Make, string> = {
  OPENBMC: 'OpenBMC',
  LENOVO: 'Lenovo',
  ASROCK: 'ASRockRack',
  SUPERMICRO: 'Supermicro',
  HPE: 'HPE',
};

const MANNERS: Record<Make, Manners> = {
  OPENBMC: {},
  LENOVO: { needsIfMatch: true },
  ASROCK: { needsIfMatch: true, bootAtSettings: true },
  SUPERMICRO: { mode: 'reset' },
  HPE: { mode: 'fixed' },
};

/** Machines of an earlier state are OpenBMC's. */
export const mannersOf = ({ make = 'OPENBMC' }: Made): Manners => MANNERS[make];

/** The tag of the resource at which the next boot is set; undefined: this make gives none. */
export const tagOf = (machine: Made): string | undefined =>
  mannersOf(machine).needsIfMatch ? `"${1_682_532_272 + (machine.changes ?? 0)}"` : undefined;

/** Why a change of the next boot is refused; undefined: it is not. */
export function refusalOf(
  machine: Made,
  at: 'system' | 'settings',
  ifMatch: string | undefined,
  mode: string | undefined,
): [id: string, status: number] | undefined {
  const manners = mannersOf(machine);
  if (at === 'system' && manners.bootAtSettings) return ['Ami.1.0.OperationSupportedInFutureStateURI', 400];
  if (manners.needsIfMatch && ifMatch === undefined) return ['Ami.1.0.PreconditionHeaderMissing', 428];
  if (manners.needsIfMatch && ifMatch !== tagOf(machine)) return ['Ami.1.0.PreconditionFailed', 412];
  if (manners.mode === 'fixed' && mode !== undefined) return ['Base.1.18.PropertyNotWritable', 400];
  return undefined;
}
