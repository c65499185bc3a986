// Asks the system how many bytes written to a connection are not acknowledged: they are lost when the connection breaks off. Node does not tell, and a
// connection that the other side has reset is no longer in /proc/net/tcp.
import { createRequire } from 'node:module';
import type Koffi from 'koffi';

/** Methods take the file descriptor of a connection that is not closed. */
export interface SendQueue {
  /** Unacknowledged bytes, also after a reset by the other side. */
  bytesOf(descriptor: number): number;
  /** The other side has reset the connection. Without reading from it, there is no other way to notice. */
  isReset(descriptor: number): boolean;
}

/** tcp(7) and asm-generic/ioctls.h: the value on x64 and arm64. */
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
    // The package has no binary for this system.
    return undefined;
  }
}

/** On systems that cannot be asked, bytes in the system's buffers count as delivered. */
export const SEND_QUEUE: SendQueue = load() ?? { bytesOf: () => 0, isReset: () => false };
