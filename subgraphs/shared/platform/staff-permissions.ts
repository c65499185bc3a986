// What members of staff may do: one table of permissions and the roles that have them. In every subgraph, each operation of the support desk names the
// permission that it needs; a staff viewer carries the member's permissions.

/** A member of staff may have several roles; OWNER has every permission. */
export const STAFF_ROLES = ['SUPPORT', 'FINANCE', 'ABUSE', 'INFRASTRUCTURE', 'OWNER'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Permission -> the roles that have it, besides OWNER. */
const TABLE = {
  // Customers' accounts: to look at them, to help customers in, to keep them out.
  customers: ['SUPPORT', 'FINANCE', 'ABUSE', 'INFRASTRUCTURE'],
  access: ['SUPPORT', 'ABUSE'],
  impersonate: ['SUPPORT'],
  api_keys: ['SUPPORT'],
  api_key_end: ['SUPPORT', 'ABUSE'],
  suspend: ['ABUSE'],
  abuse: ['ABUSE'],
  address_use: ['ABUSE', 'INFRASTRUCTURE'],
  mails: ['SUPPORT'],
  sales: ['SUPPORT', 'FINANCE'],
  // Money.
  orders: ['SUPPORT', 'FINANCE'],
  subscriptions: ['SUPPORT', 'FINANCE'],
  credit_request: ['SUPPORT', 'FINANCE'],
  credit: ['FINANCE'],
  pay_out: ['FINANCE'],
  refund: ['FINANCE'],
  transfers: ['FINANCE'],
  invoices: ['FINANCE'],
  tax: ['FINANCE'],
  finance_reports: ['FINANCE'],
  disputes: ['FINANCE', 'ABUSE'],
  dispute_answer: ['FINANCE'],
  fraud: ['FINANCE', 'ABUSE'],
  risk: ['FINANCE', 'ABUSE'],
  // What is sold, and what it runs on.
  catalogue: ['FINANCE'],
  account_prices: ['FINANCE'],
  coupons: ['FINANCE'],
  incidents: ['SUPPORT', 'INFRASTRUCTURE'],
  announcements: ['SUPPORT'],
  plan_withdraw: ['FINANCE', 'ABUSE'],
  exchange: ['SUPPORT', 'INFRASTRUCTURE'],
  usage: ['INFRASTRUCTURE'],
  nodes: ['INFRASTRUCTURE'],
  inventory: ['INFRASTRUCTURE'],
  machines: ['INFRASTRUCTURE'],
  hand_work: ['INFRASTRUCTURE'],
  events: ['INFRASTRUCTURE'],
  // Staff itself, legal texts, the audit log, and copies of a person's data.
  staff: [],
  legal: [],
  audit: [],
  data_copy: [],
} as const satisfies Record<string, readonly Exclude<StaffRole, 'OWNER'>[]>;

export type StaffPermission = keyof typeof TABLE;

/** A permission and the roles that have it. */
export interface PermissionRow {
  permission: StaffPermission;
  roles: readonly StaffRole[];
}

export const PERMISSIONS: readonly PermissionRow[] = Object.entries(TABLE).map(([permission, roles]) => ({
  permission: permission as StaffPermission,
  roles: [...roles, 'OWNER'],
}));

export const ALL_PERMISSIONS: readonly StaffPermission[] = PERMISSIONS.map(({ permission }) => permission);

/** The roles that have this permission. */
export const rolesWith = (permission: StaffPermission): readonly StaffRole[] => [...TABLE[permission], 'OWNER'];

/** The permissions of somebody with these roles. */
export const permissionsOf = (held: readonly StaffRole[]): StaffPermission[] =>
  ALL_PERMISSIONS.filter((permission) => rolesWith(permission).some((role) => held.includes(role)));

export const isStaffRole = (word: string): word is StaffRole => (STAFF_ROLES as readonly string[]).includes(word);
