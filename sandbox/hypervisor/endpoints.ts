// All endpoints of the sandbox's hypervisor, with their parameters besides those in the path; any other parameter is refused, as in the real API.

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Under /api2/json. */
  path: string;
  parameters: readonly string[];
}

const QEMU = '/nodes/{node}/qemu/{vmid}';
const INTERFACES = Array.from({ length: 10 }, (_, index) => [`ipconfig${index}`, `net${index}`]).flat();

export const ENDPOINTS = {
  permissions: { method: 'GET', path: '/access/permissions', parameters: ['path', 'userid'] },
  clusterFirewall: { method: 'GET', path: '/cluster/firewall/options', parameters: [] },
  ticket: {
    method: 'POST',
    path: '/access/ticket',
    parameters: ['username', 'password', 'realm', 'path', 'privs', 'otp', 'new-format', 'tfa-challenge'],
  },
  activeTasks: {
    method: 'GET',
    path: '/nodes/{node}/tasks',
    parameters: ['vmid', 'source', 'typefilter', 'limit', 'errors', 'since', 'start', 'until', 'userfilter', 'statusfilter'],
  },
  stopTask: { method: 'DELETE', path: '/nodes/{node}/tasks/{upid}', parameters: [] },
  version: { method: 'GET', path: '/version', parameters: [] },
  nextid: { method: 'GET', path: '/cluster/nextid', parameters: ['vmid'] },
  resources: { method: 'GET', path: '/cluster/resources', parameters: ['type'] },
  nodes: { method: 'GET', path: '/nodes', parameters: [] },
  machines: { method: 'GET', path: '/nodes/{node}/qemu', parameters: ['full'] },
  restore: {
    method: 'POST',
    path: '/nodes/{node}/qemu',
    parameters: [
      ...['vmid', 'archive', 'force', 'storage', 'unique'],
      ...[
        'agent',
        'boot',
        'cicustom',
        'cores',
        'cpu',
        'description',
        'ide2',
        'memory',
        'name',
        'net0',
        'onboot',
        'ostype',
        'scsi0',
        'scsihw',
      ],
      ...['serial0', 'tags', 'vga'],
    ],
  },
  template: { method: 'POST', path: `${QEMU}/template`, parameters: ['disk'] },
  urlMetadata: { method: 'GET', path: '/nodes/{node}/query-url-metadata', parameters: ['url', 'verify-certificates'] },
  download: {
    method: 'POST',
    path: '/nodes/{node}/storage/{storage}/download-url',
    parameters: ['url', 'content', 'filename', 'checksum', 'checksum-algorithm', 'compression', 'verify-certificates'],
  },
  upload: {
    method: 'POST',
    path: '/nodes/{node}/storage/{storage}/upload',
    parameters: ['content', 'filename', 'checksum', 'checksum-algorithm'],
  },
  clone: {
    method: 'POST',
    path: `${QEMU}/clone`,
    parameters: ['newid', 'name', 'full', 'target', 'storage', 'description', 'format', 'pool', 'snapname', 'bwlimit'],
  },
  readConfig: { method: 'GET', path: `${QEMU}/config`, parameters: ['current', 'snapshot'] },
  config: {
    method: 'PUT',
    path: `${QEMU}/config`,
    parameters: [
      ...[
        'cores',
        'memory',
        'name',
        'description',
        'tags',
        'onboot',
        'protection',
        'agent',
        'boot',
        'sata5',
        'digest',
        'delete',
        'skiplock',
      ],
      ...['ciuser', 'cipassword', 'citype', 'cicustom', 'ciupgrade', 'sshkeys', 'nameserver', 'searchdomain', 'serial0'],
      ...INTERFACES,
    ],
  },
  migrate: {
    method: 'POST',
    path: `${QEMU}/migrate`,
    parameters: ['target', 'online', 'force', 'migration_type', 'migration_network', 'with-local-disks', 'targetstorage', 'bwlimit'],
  },
  resize: { method: 'PUT', path: `${QEMU}/resize`, parameters: ['disk', 'size', 'digest', 'skiplock'] },
  current: { method: 'GET', path: `${QEMU}/status/current`, parameters: [] },
  start: { method: 'POST', path: `${QEMU}/status/start`, parameters: ['skiplock', 'timeout'] },
  stop: { method: 'POST', path: `${QEMU}/status/stop`, parameters: ['skiplock', 'timeout', 'overrule-shutdown'] },
  shutdown: { method: 'POST', path: `${QEMU}/status/shutdown`, parameters: ['skiplock', 'timeout', 'forceStop'] },
  reboot: { method: 'POST', path: `${QEMU}/status/reboot`, parameters: ['timeout'] },
  password: { method: 'POST', path: `${QEMU}/agent/set-user-password`, parameters: ['username', 'password', 'crypted'] },
  snapshots: { method: 'GET', path: `${QEMU}/snapshot`, parameters: [] },
  snapshot: { method: 'POST', path: `${QEMU}/snapshot`, parameters: ['snapname', 'description', 'vmstate'] },
  dropSnapshot: { method: 'DELETE', path: `${QEMU}/snapshot/{snapname}`, parameters: ['force'] },
  rollback: { method: 'POST', path: `${QEMU}/snapshot/{snapname}/rollback`, parameters: ['start'] },
  backup: {
    method: 'POST',
    path: '/nodes/{node}/vzdump',
    parameters: ['vmid', 'storage', 'mode', 'compress', 'remove', 'notes-template', 'protected', 'prune-backups'],
  },
  storages: { method: 'GET', path: '/nodes/{node}/storage', parameters: ['content', 'enabled', 'format', 'storage', 'target'] },
  content: { method: 'GET', path: '/nodes/{node}/storage/{storage}/content', parameters: ['content', 'vmid'] },
  dropContent: { method: 'DELETE', path: '/nodes/{node}/storage/{storage}/content/{volume}', parameters: ['delay'] },
  metrics: { method: 'GET', path: `${QEMU}/rrddata`, parameters: ['timeframe', 'cf'] },
  termproxy: { method: 'POST', path: `${QEMU}/termproxy`, parameters: ['serial'] },
  vncproxy: { method: 'POST', path: `${QEMU}/vncproxy`, parameters: ['websocket', 'generate-password'] },
  websocket: { method: 'GET', path: `${QEMU}/vncwebsocket`, parameters: ['port', 'vncticket'] },
  task: { method: 'GET', path: '/nodes/{node}/tasks/{upid}/status', parameters: [] },
  rules: { method: 'GET', path: `${QEMU}/firewall/rules`, parameters: [] },
  addRule: {
    method: 'POST',
    path: `${QEMU}/firewall/rules`,
    parameters: ['action', 'comment', 'dest', 'dport', 'enable', 'iface', 'log', 'macro', 'pos', 'proto', 'source', 'sport', 'type'],
  },
  dropRule: { method: 'DELETE', path: `${QEMU}/firewall/rules/{pos}`, parameters: ['digest'] },
  firewallOptions: { method: 'GET', path: `${QEMU}/firewall/options`, parameters: [] },
  setFirewallOptions: {
    method: 'PUT',
    path: `${QEMU}/firewall/options`,
    parameters: [
      ...['enable', 'policy_in', 'policy_out', 'delete', 'digest', 'macfilter', 'ipfilter', 'dhcp', 'ndp', 'radv'],
      ...['log_level_in', 'log_level_out'],
    ],
  },
  ipsets: { method: 'GET', path: `${QEMU}/firewall/ipset`, parameters: [] },
  addIpset: { method: 'POST', path: `${QEMU}/firewall/ipset`, parameters: ['name', 'comment', 'rename', 'digest'] },
  ipset: { method: 'GET', path: `${QEMU}/firewall/ipset/{name}`, parameters: [] },
  addToIpset: { method: 'POST', path: `${QEMU}/firewall/ipset/{name}`, parameters: ['cidr', 'comment', 'nomatch'] },
  dropFromIpset: { method: 'DELETE', path: `${QEMU}/firewall/ipset/{name}/{cidr}`, parameters: ['digest'] },
  destroy: { method: 'DELETE', path: QEMU, parameters: ['purge', 'destroy-unreferenced-disks', 'skiplock'] },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;
export type FirewallEndpoint =
  | 'clusterFirewall'
  | 'rules'
  | 'addRule'
  | 'dropRule'
  | 'firewallOptions'
  | 'setFirewallOptions'
  | 'ipsets'
  | 'addIpset'
  | 'ipset'
  | 'addToIpset'
  | 'dropFromIpset';
export type MoveEndpoint = 'migrate';
export type TemplateEndpoint = 'template' | 'urlMetadata' | 'download' | 'upload';
export type StorageEndpoint =
  | 'snapshots'
  | 'snapshot'
  | 'dropSnapshot'
  | 'rollback'
  | 'backup'
  | 'storages'
  | 'content'
  | 'dropContent'
  | 'restore';
