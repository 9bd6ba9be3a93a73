/**
 * Node's own floor: a `net` server that answers `+OK` to every request without reading it. It counts bytes, since all
 * requests of a run are equally long. Arguments: the port, and the bytes of a request.
 */
import { createServer } from 'node:net';

const [port, requestLength] = process.argv.slice(2).map(Number) as [number, number];

createServer({ noDelay: true }, (socket) => {
  let unanswered = 0;
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    unanswered += chunk.length;
    const requests = Math.trunc(unanswered / requestLength);
    unanswered -= requests * requestLength;
    socket.write('+OK\r\n'.repeat(requests), 'latin1');
  });
}).listen(port, '127.0.0.1');
