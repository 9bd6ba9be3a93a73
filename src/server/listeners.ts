/** The sockets that the server listens on: TCP addresses and a Unix socket. */

import { chmodSync, unlinkSync } from 'node:fs';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { Connection } from './connection.js';
import type { Server } from './server.js';
import { READ_BYTES } from './shared-reads.js';

const MAX_CLIENTS_REACHED = '-ERR max number of clients reached\r\n';

export class Listeners {
  private readonly servers: NetServer[] = [];
  private readonly sockets = new Set<Socket>();
  /** What every connection reads into. */
  private readonly readBuffer = Buffer.allocUnsafeSlow(READ_BYTES);
  private nextDescriptor = 8;
  /** The TCP port, 0 when there is none. */
  port = 0;

  constructor(private readonly server: Server) {}

  /**
   * Listens on a port of each address (0: any free one, then the same for all). An address in `optional` may be
   * absent from the machine; any other error, a taken port above all, is thrown.
   */
  async listenTcp(addresses: readonly string[], port: number, optional: readonly string[] = []): Promise<void> {
    this.port = port;
    for (const host of addresses) {
      try {
        const listener = await this.listen({ host, port: this.port });
        const bound = listener.address();
        if (this.port === 0 && bound !== null && typeof bound === 'object') this.port = bound.port;
      } catch (problem) {
        const { code } = problem as NodeJS.ErrnoException;
        const absent = code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'EINVAL';
        if (!absent || !optional.includes(host)) throw problem;
      }
    }
  }

  async listenUnix(path: string): Promise<void> {
    try {
      unlinkSync(path);
    } catch {
      // Nothing was left behind by an earlier run.
    }
    await this.listen({ path });
    chmodSync(path, 0o600);
  }

  /** Takes no new connections; those that are open go on. */
  stopAccepting(): void {
    for (const listener of this.servers) listener.close();
  }

  /** Ends every connection once its replies are sent, at the latest after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.stopAccepting();
    this.server.flushAll();
    const gone = [...this.sockets].map(
      (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
    );
    for (const socket of this.sockets) {
      if (graceMs > 0) socket.destroySoon();
      else socket.destroy();
    }
    const deadline = setTimeout(() => {
      for (const socket of this.sockets) socket.destroy();
    }, graceMs);
    await Promise.all(gone);
    clearTimeout(deadline);
  }

  private listen(where: { host: string; port: number } | { path: string }): Promise<NetServer> {
    const listener = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (socket) =>
      this.accept(socket, where),
    );
    return new Promise((resolve, reject) => {
      listener.once('error', reject);
      listener.listen({ ...where, backlog: 511 }, () => {
        listener.off('error', reject);
        this.servers.push(listener);
        resolve(listener);
      });
    });
  }

  private accept(accepted: Socket, where: { host: string; port: number } | { path: string }): void {
    const { server } = this;
    server.stats.connectionsReceived++;
    if (server.sessions.size >= server.config.number('maxclients')) {
      server.stats.rejectedConnections++;
      accepted.on('error', () => {});
      accepted.resume().end(MAX_CLIENTS_REACHED);
      return;
    }
    const { session, socket } = new Connection(server, accepted, this.readBuffer);
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    session.address = 'path' in where ? `${where.path}:0` : addressText(socket.remoteAddress, socket.remotePort);
    session.localAddress = 'path' in where ? `${where.path}:0` : addressText(socket.localAddress, socket.localPort);
    session.descriptor = this.nextDescriptor++;
    server.sessions.set(session.id, session);
  }
}

function addressText(address: string | undefined, port: number | undefined): string {
  const host = address ?? '';
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
