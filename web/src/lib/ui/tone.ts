export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'info';

/** The colour of each state; the word next to it always says the same. */
export const planTone = { ACTIVE: 'ok', PAUSED: 'warn', EXPIRED: 'plain' } as const satisfies Record<string, Tone>;
export const proxyUserTone = {
  ACTIVE: 'ok',
  PAUSED: 'warn',
  DAILY_LIMIT: 'warn',
  MONTHLY_LIMIT: 'warn',
  USED_UP: 'plain',
  REMOVED: 'plain',
} as const satisfies Record<string, Tone>;
export const orderTone = {
  PENDING: 'warn',
  PAID: 'info',
  FULFILLED: 'ok',
  CANCELLED: 'plain',
  EXPIRED: 'plain',
  REFUNDED: 'info',
} as const satisfies Record<string, Tone>;
export const disputeTone = {
  NEEDS_RESPONSE: 'warn',
  UNDER_REVIEW: 'info',
  WON: 'ok',
  LOST: 'bad',
  CLOSED: 'plain',
} as const satisfies Record<string, Tone>;
export const abuseTone = { OPEN: 'warn', WAITING: 'info', CLOSED: 'plain' } as const satisfies Record<string, Tone>;
export const couponTone = { PLANNED: 'info', ACTIVE: 'ok', OVER: 'plain' } as const satisfies Record<string, Tone>;
export const keyTone = { ACTIVE: 'ok', EXPIRED: 'plain', REVOKED: 'plain' } as const satisfies Record<string, Tone>;
export const keyRequestTone = { OPEN: 'warn', ISSUED: 'ok', DECLINED: 'plain' } as const satisfies Record<string, Tone>;
export const staticTone = {
  PENDING: 'info',
  ACTIVE: 'ok',
  SUSPENDED: 'bad',
  CANCELLED: 'plain',
  EXPIRED: 'plain',
} as const satisfies Record<string, Tone>;
export const powerTone = {
  RUNNING: 'ok',
  STOPPED: 'plain',
  STARTING: 'info',
  STOPPING: 'info',
  RESTARTING: 'info',
  UNKNOWN: 'warn',
} as const satisfies Record<string, Tone>;
export const vpsTone = { BUILDING: 'info', ACTIVE: 'ok', SUSPENDED: 'bad', REMOVED: 'plain' } as const satisfies Record<string, Tone>;
export const dedicatedTone = {
  PROVISIONING: 'info',
  ACTIVE: 'ok',
  REINSTALLING: 'info',
  SUSPENDED: 'bad',
  DECOMMISSIONED: 'plain',
} as const satisfies Record<string, Tone>;
export const wishTone = { NONE: 'plain', PENDING: 'info', SET: 'ok', FAILED: 'warn' } as const satisfies Record<string, Tone>;
export const operationTone = { RUNNING: 'info', SUCCESS: 'ok', ERROR: 'bad' } as const satisfies Record<string, Tone>;
export const edgeTone = { ONLINE: 'ok', DRAINING: 'warn', SILENT: 'bad', NEW: 'plain', REVOKED: 'plain' } as const satisfies Record<
  string,
  Tone
>;
export const gatewayTone = {
  CARRYING: 'ok',
  REFUSED: 'bad',
  OUT: 'bad',
  OVER_CAP: 'warn',
  DISABLED: 'plain',
  UNSEEN: 'info',
} as const satisfies Record<string, Tone>;
export const componentTone = { OPERATIONAL: 'ok', DEGRADED: 'warn', DOWN: 'bad' } as const satisfies Record<string, Tone>;
