// The TCP handles below node:net. A socket of node:net costs more than twice the CPU of the connection itself: half the time of a new tunnel went into
// its streams. Node exposes the handles by process.binding, which is deprecated (DEP0111) and may be removed: then HANDLES is undefined and streams are
// used, as for customers who speak TLS. The version of Node is fixed in the lock file.

/** A pending operation of a handle. */
export interface HandleRequest {
  /** Called with the system's error number, 0 on success. */
  oncomplete: (this: this, status: number) => void;
  /** Keeps the buffer from being garbage-collected until it is written. */
  buffer?: Buffer;
  owner?: unknown;
}

/** Methods return the system's error number, 0 on success. */
export interface TcpHandle {
  owner?: unknown;
  /** The file descriptor; -1 after it is closed. */
  readonly fd: number;
  /** Written bytes that the system has not accepted yet. */
  readonly writeQueueSize: number;
  /** Called after each read. A returned buffer is used for the following reads. */
  onread: (this: TcpHandle) => Buffer | undefined;
  bind(address: string, port: number, flags: number): number;
  bind6(address: string, port: number, flags: number): number;
  connect(request: HandleRequest, address: string, port: number): number;
  connect6(request: HandleRequest, address: string, port: number): number;
  getsockname(into: { address?: string }): number;
  getpeername(into: { address?: string }): number;
  setNoDelay(wanted: boolean): number;
  useUserBuffer(buffer: Buffer): void;
  readStart(): number;
  readStop(): number;
  writeBuffer(request: HandleRequest, bytes: Buffer): number;
  /** 1: it was done at once. */
  shutdown(request: HandleRequest): number;
  close(done: (this: TcpHandle) => void): void;
  reset(done: (this: TcpHandle) => void): number;
}

export interface TcpHandles {
  TCP: new (type: number) => TcpHandle;
  TCPConnectWrap: new () => HandleRequest;
  WriteWrap: new () => HandleRequest;
  ShutdownWrap: new () => HandleRequest;
  /** The type of a handle that is not a server. */
  SOCKET: number;
  /** The results of the last call, at the indices below. */
  state: Int32Array;
  kReadBytesOrError: number;
  kLastWriteWasAsync: number;
}

interface Lender {
  binding?(name: 'tcp_wrap'): Pick<TcpHandles, 'TCP' | 'TCPConnectWrap'> & { constants: { SOCKET: number } };
  binding?(
    name: 'stream_wrap',
  ): Pick<TcpHandles, 'WriteWrap' | 'ShutdownWrap' | 'kReadBytesOrError' | 'kLastWriteWasAsync'> & { streamBaseState: Int32Array };
}

function borrow(): TcpHandles | undefined {
  try {
    const { binding } = process as unknown as Required<Lender>;
    const { TCP, TCPConnectWrap, constants } = binding('tcp_wrap');
    const { WriteWrap, ShutdownWrap, streamBaseState, kReadBytesOrError, kLastWriteWasAsync } = binding('stream_wrap');
    const known = [kReadBytesOrError, kLastWriteWasAsync, constants.SOCKET].every((value) => typeof value === 'number');
    const named = (['bind', 'connect', 'useUserBuffer', 'writeBuffer', 'shutdown', 'reset'] as const).every(
      (name) => name in TCP.prototype,
    );
    if (!known || !named) return undefined;
    return {
      TCP,
      TCPConnectWrap,
      WriteWrap,
      ShutdownWrap,
      kReadBytesOrError,
      kLastWriteWasAsync,
      SOCKET: constants.SOCKET,
      state: streamBaseState,
    };
  } catch {
    return undefined;
  }
}

export const HANDLES: TcpHandles | undefined = borrow();
