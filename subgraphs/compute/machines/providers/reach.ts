import { connect } from 'node:net';

/** A running server answers much sooner. */
const TIMEOUT_MS = 3_000;

/** Whether a TCP connection can be opened. */
export const answers = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    const end = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
