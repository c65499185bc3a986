// What of the bytes written to a connection its other side has not acknowledged: they lie in this machine or are under way, and are lost when it
// breaks off. Node does not tell it, /proc/net/tcp has a connection no more once the other side has reset it, so the system is asked itself.
import { createRequire } from 'node:module';
import type Koffi from 'koffi';

/** Of a connection's descriptor, until it is closed. */
export interface SendQueue {
  /** Bytes, also after the other side's reset. */
  bytesOf(descriptor: number): number;
  /** The other side has reset it: nobody is told while nothing is read. */
  isReset(descriptor: number): boolean;
}

/** tcp(7) and asm-generic/ioctls.h: the same on both processors; what others call it is not known here. */
const SIOCOUTQ = 0x5411;
/** tcp(7), netinet/tcp.h: the first byte of the answer is the state. */
const IPPROTO_TCP = 6;
const TCP_INFO = 11;
const TCP_CLOSE = 7;

function load(): SendQueue | undefined {
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) return undefined;
  try {
    const { default: koffi } = createRequire(import.meta.url)('koffi') as { default: typeof Koffi };
    const system = koffi.load(null);
    const ioctl = system.func('int ioctl(int, unsigned long, void *)');
    const getsockopt = system.func('int getsockopt(int, int, int, void *, void *)');
    const queue = new Int32Array(1);
    const info = new Uint8Array(4);
    const length = new Uint32Array(1);
    return {
      bytesOf: (descriptor) => (descriptor >= 0 && ioctl(descriptor, SIOCOUTQ, queue) === 0 ? (queue[0] as number) : 0),
      isReset(descriptor) {
        length[0] = info.length;
        return descriptor >= 0 && getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, length) === 0 && info[0] === TCP_CLOSE;
      },
    };
  } catch {
    // The package brings no library for this system.
    return undefined;
  }
}

/** Where the system cannot be asked, what its buffers hold counts as delivered. */
export const SEND_QUEUE: SendQueue = load() ?? { bytesOf: () => 0, isReset: () => false };
