// The target behind the proxies: sends endlessly after `D`, discards input after `U`, answers HTTP with a kilobyte, echoes a byte after `E`.
import { type Socket, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

const chunk = Buffer.alloc(262_144, 1);
const answer = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1024\r\n\r\n${'x'.repeat(1_024)}`);

function pour(socket: Socket): void {
  const more = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  socket.once('data', (first: Buffer) => {
    if (first[0] === 0x44) pour(socket);
    else if (first[0] === 0x55) socket.on('data', () => {});
    else if (first[0] === 0x45) socket.on('data', (bytes: Buffer) => socket.write(bytes));
    else {
      socket.write(answer);
      socket.on('data', () => socket.write(answer));
    }
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
