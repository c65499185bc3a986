// Finds the residential plan that a customer's address logs in to without a password. Used only when no credentials are given.
import type { Log } from '#platform/log.ts';
import { followList } from './follow-list.ts';
import { NetworkList, type NetworkListOptions } from './network-list.ts';
import type { ControlPlane } from './protocol/control-plane.ts';

interface ClientNetworksOptions extends NetworkListOptions {
  controlPlane: Pick<ControlPlane, 'networks' | 'follow'>;
  log: Log;
}

export class ClientNetworks extends NetworkList {
  readonly #stop: () => void;

  constructor({ controlPlane, log, ...options }: ClientNetworksOptions) {
    super(options);
    const { networks: list } = controlPlane;
    this.#stop = followList({ list, controlPlane, news: 'networksChanged', log, known: (known) => this.set(known) });
  }

  close(): void {
    this.#stop();
  }
}
