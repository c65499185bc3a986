// The SMTP side of the mail box: accepts any mail for anyone, and refuses on demand.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream } from 'smtp-server';
import { stallOf } from '../stall.ts';

export interface SmtpOptions {
  host: string;
  port: number;
  /** Handles a complete mail; an error that it throws is the answer to the sender. */
  receive: (raw: Buffer, recipients: string[]) => Promise<void>;
}

export interface SmtpListener {
  /** smtp://127.0.0.1:2525 */
  url: string;
  close(): Promise<void>;
}

const LARGEST_BYTES = 10_000_000;

/** A recipient whose name begins like this does not exist: 550, permanently. */
const BOUNCING = /^bounce[+@]/i;

export async function listenSmtp({ host, port, receive }: SmtpOptions): Promise<SmtpListener> {
  let url = '';
  const server = new SMTPServer({
    // Silent: not even a greeting, nor an answer on an open connection. Half: everything is accepted, but the final answer never comes.
    onConnect: (_session, done) => void (stallOf(url) === 'silent' || done()),
    onMailFrom: (_address, _session, done) => void (stallOf(url) === 'silent' || done()),
    name: 'mail.sandbox',
    size: LARGEST_BYTES,
    // Without a certificate, since the connection stays on this machine. Any user and password are accepted.
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anyone' }),
    onRcptTo: (recipient, _session, done) => done(BOUNCING.test(recipient.address) ? refusal(550, 'No such mailbox here') : null),
    onData: (stream, session, done) => {
      const recipients = session.envelope.rcptTo.map((recipient) => recipient.address);
      readAll(stream)
        .then((raw) => receive(raw, recipients))
        .then(() => void (stallOf(url) === 'half' || done(null, 'Received')), done);
    },
  });
  // A sender may close the connection at any time; without a listener the event would end the process.
  server.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new Error(`The sandbox cannot listen for mail on ${host}:${port} (${cause.code}).`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  const address = server.server.address() as AddressInfo;
  url = `smtp://${host === '0.0.0.0' ? '127.0.0.1' : host}:${address.port}`;
  return {
    url,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** An error that the server answers with `responseCode`. */
export const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });

async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  if (stream.sizeExceeded) throw refusal(552, 'The message is too large');
  return Buffer.concat(chunks);
}
