// Shares one feed of the platform among several listeners.
import type { ControlPlane, FeedListener } from './protocol/control-plane.ts';

/** `follow` of a control plane, for several listeners over one connection. */
export function createFeed({ follow }: Pick<ControlPlane, 'follow'>): Pick<ControlPlane, 'follow'> {
  const listeners = new Set<FeedListener>();
  let stop: (() => void) | undefined;
  const all: FeedListener = {
    changed: (change) => listeners.forEach((listener) => listener.changed(change)),
    staticChanged: (planId) => listeners.forEach((listener) => listener.staticChanged?.(planId)),
    gatewaysChanged: () => listeners.forEach((listener) => listener.gatewaysChanged?.()),
    networksChanged: () => listeners.forEach((listener) => listener.networksChanged?.()),
    beat: () => listeners.forEach((listener) => listener.beat()),
    lost: () => listeners.forEach((listener) => listener.lost()),
  };
  return {
    follow(listener) {
      listeners.add(listener);
      stop ??= follow(all);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}
