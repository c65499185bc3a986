// The TCP handles that node:net is made of. Its sockets cost more than twice the CPU of the connection they carry: half of a new tunnel's time went
// into their streams. Node lends the handles out as process.binding, which it discourages (DEP0111) and may take away: then HANDLES is undefined and
// streams carry everything, as they do for customers who speak TLS. The version of Node is fixed in the lock file.

/** What was asked of a handle and is under way. */
export interface HandleRequest {
  /** Told the system's error number, 0 when it is done. */
  oncomplete: (this: this, status: number) => void;
  /** Kept from being collected until it is written. */
  buffer?: Buffer;
  owner?: unknown;
}

/** Methods answer the system's error number, 0 when they worked. */
export interface TcpHandle {
  owner?: unknown;
  /** Its descriptor; -1 once it is closed. */
  readonly fd: number;
  /** Bytes written that the system has not taken. */
  readonly writeQueueSize: number;
  /** Something was read; what it returns is read into from now on. */
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
  /** 1: it is done at once. */
  shutdown(request: HandleRequest): number;
  close(done: (this: TcpHandle) => void): void;
  reset(done: (this: TcpHandle) => void): number;
}

export interface TcpHandles {
  TCP: new (type: number) => TcpHandle;
  TCPConnectWrap: new () => HandleRequest;
  WriteWrap: new () => HandleRequest;
  ShutdownWrap: new () => HandleRequest;
  /** The type of a handle that is no server. */
  SOCKET: number;
  /** How the last call ended, at the places below. */
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
