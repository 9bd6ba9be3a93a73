/** Plays sequences to one server and collects what each command is answered with. */
import { ConnectionClosed, connectRaw, type RawClient } from '../support/resp-client.js';
import { type Frame, itemsOf, textOf } from '../support/resp-frame.js';
import type { Family } from './family.js';
import type { Time } from './passing-time.js';
import { mayAuthenticate, type Step } from './sequence.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What a command was answered with: pushes that came before its reply, the reply, or that there was none. */
export interface Answer {
  readonly frames: readonly Frame[];
  /** Set when no reply came: the connection was closed, or nothing arrived in time. */
  readonly missing?: 'closed' | 'silent';
}

const SILENCE_MS = 2_000;
/** How long a reply may still take once the server has answered on another connection. */
const LAST_CHANCE_MS = 500;

export class Player {
  readonly #clients: (RawClient | undefined)[] = [];
  #control: RawClient | undefined;
  #token = 0;

  constructor(
    private readonly address: Address,
    private readonly protocol: 2 | 3,
    /** Needed by sequences with pauses. */
    private readonly time?: Time,
  ) {}

  /** Sends a command on a connection that no sequence uses (RESP3). */
  async control(...args: string[]): Promise<Frame> {
    this.#control ??= await this.#connect(3);
    return this.#control.call(...args);
  }

  /** Sends commands on that connection in one write. */
  async controlAll(commands: readonly (readonly string[])[]): Promise<Frame[]> {
    this.#control ??= await this.#connect(3);
    this.#control.send(...commands);
    const replies: Frame[] = [];
    for (const _ of commands) replies.push(await this.#control.read());
    return replies;
  }

  /** Empties the server and drops the connections, so that the next sequence starts from nothing. */
  async reset(commands: readonly (readonly string[])[]): Promise<void> {
    for (const client of this.#clients.splice(0)) client?.close();
    await this.controlAll(commands);
    await this.time?.begin(this);
  }

  /** Whether time passed in the last sequence as its pauses say. */
  get isOnTime(): boolean {
    return this.time?.isOnTime() ?? true;
  }

  async close(): Promise<void> {
    await this.time?.end(this);
    for (const client of this.#clients) client?.close();
    this.#control?.close();
  }

  /** The answer to each step. Neighbouring steps of one connection go out in one write. */
  async play(family: Family, steps: readonly Step[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    while (answers.length < steps.length) {
      const first = answers.length;
      const { pauseMs } = steps[first]!;
      if (pauseMs !== undefined) {
        await this.time?.pass(this, pauseMs);
        answers.push({ frames: [] });
      } else if (family.barrier === 'ping') answers.push(await this.#playOne(steps[first]!));
      else answers.push(...(await this.#playRun(runFrom(steps, first))));
    }
    return answers;
  }

  /** Answers of a run of steps on one connection, up to and with the one that lost the connection. */
  async #playRun(run: readonly Step[]): Promise<Answer[]> {
    const client = await this.#client(run[0]!.connection);
    client.send(...run.map((step) => step.args));
    const answers: Answer[] = [];
    for (const step of run) {
      const answer = await this.#readReply(client);
      answers.push(answer);
      if (answer.missing === undefined) continue;
      client.close();
      this.#clients[step.connection] = undefined;
      break;
    }
    return answers;
  }

  /** Everything that arrives on all connections because of one step. */
  async #playOne(step: Step): Promise<Answer> {
    const client = await this.#client(step.connection);
    client.send(step.args);
    const frames: Frame[] = [];
    for (const each of [client, ...this.#clients.filter((other) => other !== client)]) {
      if (each === undefined) continue;
      const token = `barrier-${++this.#token}`;
      each.send(['PING', token]);
      for (;;) {
        const frame = await each.read(SILENCE_MS).catch(() => undefined);
        if (frame === undefined) {
          this.#clients[this.#clients.indexOf(each)] = undefined;
          each.close();
          return { frames, missing: 'closed' };
        }
        if (textOf(frame) === token || textOf(itemsOf(frame)[1]) === token) break;
        frames.push(frame);
      }
    }
    return { frames };
  }

  /** The next reply, with the pushes before it. */
  async #readReply(client: RawClient): Promise<Answer> {
    const frames: Frame[] = [];
    for (;;) {
      try {
        const frame = await client.read(SILENCE_MS).catch((error: unknown) => this.#readLate(client, error));
        frames.push(frame);
        if (frame.kind !== 'push') return { frames };
      } catch (error) {
        return { frames, missing: error instanceof ConnectionClosed ? 'closed' : 'silent' };
      }
    }
  }

  /** A server on a busy machine is not silent: it counts as that once it has answered on the other connection. */
  async #readLate(client: RawClient, error: unknown): Promise<Frame> {
    if (error instanceof ConnectionClosed) throw error;
    await this.control('PING');
    return client.read(LAST_CHANCE_MS);
  }

  async #client(connection: number): Promise<RawClient> {
    const known = this.#clients[connection];
    if (known !== undefined) return known;
    const client = await this.#connect(this.protocol);
    this.#clients[connection] = client;
    return client;
  }

  async #connect(protocol: 2 | 3): Promise<RawClient> {
    const client = await connectRaw(this.address.port, this.address.host);
    if (protocol === 3) await client.call('HELLO', '3');
    return client;
  }
}

function runFrom(steps: readonly Step[], first: number): readonly Step[] {
  const belongs = ({ connection, args, pauseMs }: Step): boolean =>
    connection === steps[first]!.connection && pauseMs === undefined && !mayAuthenticate(args);
  let end = first + 1;
  while (end < steps.length && belongs(steps[end]!)) end++;
  return steps.slice(first, end);
}
