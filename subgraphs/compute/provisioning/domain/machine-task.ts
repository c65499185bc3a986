// What a machine does with the medium that it boots: the answers of an installer, or a task of the service system. They are files of a second medium with the
// label CIDATA, where the installers of Ubuntu, Debian and Windows look for them, and the service system too.
import { OPERATING_SYSTEMS, type OperatingSystem } from '../../catalogue/domain/operating-system.ts';

/**
 * The image that is booted for a task: `<image>.iso` beside the installers. It reads `task.json`, and wipes all disks, or sets a user's password on the
 * installed system, and then switches the machine off; for rescue it stays on for a log-in.
 */
export const SERVICE_IMAGE = 'egress-service';

export type MachineTask =
  | { kind: 'install'; os: OperatingSystem; hostname: string; loginName: string; password: string }
  | { kind: 'password'; loginName: string; password: string }
  | { kind: 'rescue'; password: string }
  | { kind: 'wipe' };

/** The machine's network settings, since it has no DHCP. */
export interface MachineNetwork {
  ip: string;
  prefixLength: number;
  gateway: string;
  mac: string | null;
}

/** The user of the rescue system. */
export const RESCUE_LOGIN = 'root';
const NAME_SERVERS = ['9.9.9.9', '149.112.112.112'];

export const imageOf = (task: MachineTask): string => (task.kind === 'install' ? OPERATING_SYSTEMS[task.os].image : SERVICE_IMAGE);

/** The files of the seed: name -> text. */
export function seedFiles(task: MachineTask, network: MachineNetwork): Record<string, string> {
  if (task.kind !== 'install') {
    const { kind, ...rest } = task;
    return { 'task.json': JSON.stringify({ task: kind, ...rest, ...(kind === 'rescue' && { loginName: RESCUE_LOGIN }), network }) };
  }
  if (task.os === 'WINDOWS_SERVER_2022') return { 'autounattend.xml': unattend(task, network) };
  if (task.os === 'DEBIAN_12' || task.os === 'DEBIAN_13') return { 'preseed.cfg': preseed(task, network) };
  return { 'meta-data': `instance-id: ${task.hostname}\n`, 'user-data': autoinstall(task, network) };
}

type Install = Extract<MachineTask, { kind: 'install' }>;

/** The answers of Ubuntu's installer. JSON is valid YAML. */
const autoinstall = ({ hostname, loginName, password }: Install, { ip, prefixLength, gateway, mac }: MachineNetwork): string =>
  `#cloud-config\n${JSON.stringify({
    autoinstall: {
      version: 1,
      // Switching off is how its end is recognised.
      shutdown: 'poweroff',
      storage: { layout: { name: 'lvm', sizing: 'all' } },
      ssh: { 'install-server': true, 'allow-pw': true },
      network: {
        version: 2,
        ethernets: {
          public: {
            match: mac === null ? { name: 'e*' } : { macaddress: mac },
            addresses: [`${ip}/${prefixLength}`],
            routes: [{ to: 'default', via: gateway }],
            nameservers: { addresses: NAME_SERVERS },
          },
        },
      },
      'user-data': {
        hostname,
        ssh_pwauth: true,
        users: [{ name: loginName, groups: ['sudo'], shell: '/bin/bash', sudo: 'ALL=(ALL) NOPASSWD:ALL', lock_passwd: false }],
        chpasswd: { expire: false, users: [{ name: loginName, password, type: 'text' }] },
      },
    },
  })}\n`;

const netmaskOf = (prefixLength: number): string =>
  [24, 16, 8, 0].map((shift) => ((0xffffffff << (32 - prefixLength)) >>> shift) & 255).join('.');

const preseed = ({ hostname, loginName, password }: Install, { ip, prefixLength, gateway }: MachineNetwork): string =>
  [
    'd-i debian-installer/locale string en_US.UTF-8',
    'd-i keyboard-configuration/xkb-keymap select us',
    'd-i netcfg/choose_interface select auto',
    'd-i netcfg/disable_autoconfig boolean true',
    `d-i netcfg/get_ipaddress string ${ip}`,
    `d-i netcfg/get_netmask string ${netmaskOf(prefixLength)}`,
    `d-i netcfg/get_gateway string ${gateway}`,
    `d-i netcfg/get_nameservers string ${NAME_SERVERS.join(' ')}`,
    'd-i netcfg/confirm_static boolean true',
    `d-i netcfg/get_hostname string ${hostname}`,
    `d-i netcfg/hostname string ${hostname}`,
    'd-i passwd/root-login boolean false',
    `d-i passwd/username string ${loginName}`,
    `d-i passwd/user-fullname string ${loginName}`,
    `d-i passwd/user-password password ${password}`,
    `d-i passwd/user-password-again password ${password}`,
    'd-i user-setup/allow-password-weak boolean true',
    'd-i time/zone string Etc/UTC',
    'd-i partman-auto/method string lvm',
    'd-i partman-auto-lvm/guided_size string max',
    'd-i partman-auto/choose_recipe select atomic',
    'd-i partman/confirm boolean true',
    'd-i partman/confirm_nooverwrite boolean true',
    'd-i partman-lvm/confirm boolean true',
    'd-i partman-lvm/confirm_nooverwrite boolean true',
    'd-i partman/choose_partition select finish',
    'tasksel tasksel/first multiselect standard, ssh-server',
    'd-i grub-installer/only_debian boolean true',
    'd-i grub-installer/bootdev string default',
    'd-i finish-install/reboot_in_progress note',
    'd-i debian-installer/exit/poweroff boolean true',
    '',
  ].join('\n');

const escapeXml = (text: string): string => text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The answers of Windows' installer. The first log-on sets the network and switches the machine off; the next start is for the owner. */
function unattend({ hostname, password }: Install, { ip, prefixLength, gateway }: MachineNetwork): string {
  const component = (name: string, body: string) =>
    `<component name="${name}" processorArchitecture="amd64" publicKeyToken="31bf3856ad364e35" language="neutral" versionScope="nonSxS" xmlns:wcm="http://schemas.microsoft.com/WMIConfig/2002/State">${body}</component>`;
  const secret = `<Value>${escapeXml(password)}</Value><PlainText>true</PlainText>`;
  const commands = [
    `powershell -Command "New-NetIPAddress -IPAddress ${ip} -PrefixLength ${prefixLength} -DefaultGateway ${gateway} -InterfaceIndex (Get-NetAdapter | Where-Object Status -eq Up | Select-Object -First 1).ifIndex; Set-DnsClientServerAddress -InterfaceAlias * -ServerAddresses ${NAME_SERVERS.join(',')}"`,
    `reg add "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Terminal Server" /v fDenyTSConnections /t REG_DWORD /d 0 /f`,
    'netsh advfirewall firewall set rule group="remote desktop" new enable=Yes',
    'shutdown /s /t 5',
  ];
  const list = commands
    .map(
      (command, index) =>
        `<SynchronousCommand wcm:action="add"><Order>${index + 1}</Order><CommandLine>${escapeXml(command)}</CommandLine></SynchronousCommand>`,
    )
    .join('');
  const partition = (order: number, type: string, size: string) =>
    `<CreatePartition wcm:action="add"><Order>${order}</Order><Type>${type}</Type>${size}</CreatePartition>`;
  const disk = `<DiskConfiguration><Disk wcm:action="add"><DiskID>0</DiskID><WillWipeDisk>true</WillWipeDisk><CreatePartitions>${partition(1, 'EFI', '<Size>300</Size>')}${partition(2, 'MSR', '<Size>16</Size>')}${partition(3, 'Primary', '<Extend>true</Extend>')}</CreatePartitions></Disk></DiskConfiguration>`;
  const image = `<ImageInstall><OSImage><InstallTo><DiskID>0</DiskID><PartitionID>3</PartitionID></InstallTo><InstallFrom><MetaData wcm:action="add"><Key>/IMAGE/INDEX</Key><Value>2</Value></MetaData></InstallFrom></OSImage></ImageInstall>`;
  return `<?xml version="1.0" encoding="utf-8"?><unattend xmlns="urn:schemas-microsoft-com:unattend"><settings pass="windowsPE">${component('Microsoft-Windows-Setup', `${disk}${image}<UserData><AcceptEula>true</AcceptEula></UserData>`)}</settings><settings pass="specialize">${component('Microsoft-Windows-Shell-Setup', `<ComputerName>${escapeXml(hostname.split('.')[0]?.slice(0, 15) ?? 'server')}</ComputerName>`)}</settings><settings pass="oobeSystem">${component('Microsoft-Windows-Shell-Setup', `<UserAccounts><AdministratorPassword>${secret}</AdministratorPassword></UserAccounts><AutoLogon><Enabled>true</Enabled><LogonCount>1</LogonCount><Username>Administrator</Username><Password>${secret}</Password></AutoLogon><FirstLogonCommands>${list}</FirstLogonCommands>`)}</settings></unattend>\n`;
}
