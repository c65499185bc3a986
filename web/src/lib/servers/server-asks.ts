// What the owner of a server asks of it, by the kind that it is of.
import type { Failure } from '#lib/failure.ts';
import { mutate } from '#lib/live.svelte.ts';
import {
  DedicatedForceStop,
  DedicatedReboot,
  DedicatedResetPassword,
  DedicatedRevealPassword,
  DedicatedStart,
  DedicatedStop,
} from '#lib/ops/dedicated.ts';
import { VpsForceStop, VpsReboot, VpsResetPassword, VpsRevealPassword, VpsStart, VpsStop } from '#lib/ops/vps.ts';

export const POWER_ASKS = ['start', 'reboot', 'stop', 'force_stop', 'reset_password'] as const;
export type PowerAsk = (typeof POWER_ASKS)[number];

type Answer<Told = object> = Promise<{ failure?: Failure | undefined } & Told>;
/** Each takes the server's id. */
export type ServerAsks = Record<PowerAsk, (id: string) => Answer> & { reveal: (id: string) => Answer<{ password: string | undefined }> };

export const vpsAsks: ServerAsks = {
  start: (id) => mutate(VpsStart, { id }),
  reboot: (id) => mutate(VpsReboot, { id }),
  stop: (id) => mutate(VpsStop, { id }),
  force_stop: (id) => mutate(VpsForceStop, { id }),
  reset_password: (id) => mutate(VpsResetPassword, { id }),
  async reveal(id) {
    const { failure, data } = await mutate(VpsRevealPassword, { id });
    return { failure, password: data?.vpsRevealPassword };
  },
};

export const dedicatedAsks: ServerAsks = {
  start: (id) => mutate(DedicatedStart, { id }),
  reboot: (id) => mutate(DedicatedReboot, { id }),
  stop: (id) => mutate(DedicatedStop, { id }),
  force_stop: (id) => mutate(DedicatedForceStop, { id }),
  reset_password: (id) => mutate(DedicatedResetPassword, { id }),
  async reveal(id) {
    const { failure, data } = await mutate(DedicatedRevealPassword, { id });
    return { failure, password: data?.dedicatedServerRevealPassword };
  },
};
