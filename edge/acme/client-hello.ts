// What a TLS client says first, as far as a challenge needs it: RFC 8446, 4.1.2; RFC 6066, 3 (server_name); RFC 7301, 3.1 (ALPN).

export interface ClientHello {
  serverName: string | undefined;
  protocols: readonly string[];
}

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const ALPN = 16;
/** Of a record's head. */
const HEAD = 5;
const MAX_RECORD = 16_384;

/** Reads numbers and parts in turn. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get rest(): number {
    return this.#bytes.length - this.#at;
  }

  /** Throws a RangeError when there is not so much. */
  take(length: number): Buffer {
    if (length > this.rest) throw new RangeError('too short');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  number(length: 1 | 2 | 3): number {
    return this.take(length).readUIntBE(0, length);
  }

  /** A part whose length stands before it. */
  part(lengthBytes: 1 | 2): Buffer {
    return this.take(this.number(lengthBytes));
  }
}

/** `more`: it is not there as a whole. Undefined: it is none, or one of several records, which no server of a challenge sends. */
export function readClientHello(bytes: Buffer): ClientHello | 'more' | undefined {
  if (bytes.length > 0 && bytes[0] !== HANDSHAKE) return undefined;
  if (bytes.length < HEAD) return 'more';
  const length = bytes.readUInt16BE(3);
  if (length > MAX_RECORD) return undefined;
  if (bytes.length < HEAD + length) return 'more';
  try {
    return readHello(new Reader(bytes.subarray(HEAD, HEAD + length)));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readHello(message: Reader): ClientHello | undefined {
  if (message.number(1) !== CLIENT_HELLO) return undefined;
  const hello = new Reader(message.take(message.number(3)));
  // Version and random, session, cipher suites, compression.
  hello.take(34);
  hello.part(1);
  hello.part(2);
  hello.part(1);
  const found: { serverName: string | undefined; protocols: string[] } = { serverName: undefined, protocols: [] };
  const extensions = new Reader(hello.rest > 0 ? hello.part(2) : Buffer.alloc(0));
  while (extensions.rest > 0) {
    const type = extensions.number(2);
    const content = new Reader(extensions.part(2));
    if (type === SERVER_NAME) found.serverName = readServerName(new Reader(content.part(2)));
    else if (type === ALPN) found.protocols = readProtocols(new Reader(content.part(2)));
  }
  return found;
}

/** Of a list that has one: no other type of name was ever defined. */
function readServerName(list: Reader): string | undefined {
  if (list.rest === 0 || list.number(1) !== 0) return undefined;
  return list.part(2).toString('latin1').toLowerCase();
}

function readProtocols(list: Reader): string[] {
  const protocols: string[] = [];
  while (list.rest > 0) protocols.push(list.part(1).toString('latin1'));
  return protocols;
}
