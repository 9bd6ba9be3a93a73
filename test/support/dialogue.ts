/** A server in this process, and what its clients say to it: commands and the bytes of their replies, side by side. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/start.js';
import { connectRaw, type RawClient } from './resp-client.js';
import type { Frame } from './resp-frame.js';

/** A command, words parted by spaces, and its reply with a space for each line end: `*2 $1 a $1 1`. */
export type Exchange = readonly [command: string, reply: string];

export class Dialogue {
  server!: RunningServer;
  private readonly clients: RawClient[] = [];
  private readonly speakers = new Map<2 | 3, RawClient>();

  /** Sends the commands one after the other and compares each reply. */
  async expect(exchanges: readonly Exchange[], protocol: 2 | 3 = 2): Promise<void> {
    for (const [command, reply] of exchanges) expect(await this.say(command, protocol), command).toBe(reply);
  }

  /** The reply to one command. */
  async say(command: string, protocol: 2 | 3 = 2): Promise<string> {
    let speaker = this.speakers.get(protocol);
    if (speaker === undefined) {
      speaker = await this.connect();
      if (protocol === 3) await speaker.call('HELLO', '3');
      this.speakers.set(protocol, speaker);
    }
    return shown(await speaker.call(...command.split(' ')));
  }

  /** One more client, which is closed with the others. */
  async connect(): Promise<RawClient> {
    const client = await connectRaw(this.server.port);
    this.clients.push(client);
    return client;
  }

  closeClients(): void {
    for (const client of this.clients) client.close();
  }
}

/** A frame's bytes with a space for each line end. */
export function shown(frame: Frame): string {
  return frame.wire.replaceAll('\r\n', ' ').trimEnd();
}

/** A dialogue for the tests of a file: the server starts before them and is emptied before each. */
export function startDialogue(): Dialogue {
  const dialogue = new Dialogue();
  beforeAll(async () => {
    dialogue.server = await startServer({ port: 0 });
  });
  beforeEach(() => dialogue.server.flush());
  afterAll(async () => {
    dialogue.closeClients();
    await dialogue.server?.close();
  });
  return dialogue;
}
