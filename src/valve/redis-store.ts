/** A store on a server that speaks RESP: HotKV, the emulator, Redis or Valkey, through a client the user made. */
import { slackOf, stepOf } from './gcra-rule.js';
import type { Policy, Rule } from './policy.js';
import { ADMIT, REFUND, RELEASE, RENEW, RESET_FINGERPRINT, type Script } from './scripts.js';
import type { Admission, Decision, Gate, ValveStore } from './store.js';

/** The part of an ioredis client (`Redis` or `Cluster`) that a valve uses. */
export interface IoredisClient {
  evalsha(sha: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** The part of a node-redis client (`createClient`, `createCluster`, or a pool) that a valve uses. */
export interface NodeRedisClient {
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** State in the server an ioredis client is connected to. The client stays the caller's: a valve never closes it. */
export function ioredisStore(client: IoredisClient): ValveStore {
  return scriptStore({
    evalSha: (sha, keys, args) => client.evalsha(sha, keys.length, ...keys, ...args),
    eval: (text, keys, args) => client.eval(text, keys.length, ...keys, ...args),
  });
}

/** State in the server a node-redis client is connected to. The client stays the caller's: a valve never closes it. */
export function nodeRedisStore(client: NodeRedisClient): ValveStore {
  return scriptStore({
    evalSha: (sha, keys, args) => client.evalSha(sha, { keys, arguments: args }),
    eval: (text, keys, args) => client.eval(text, { keys, arguments: args }),
  });
}

interface ScriptRunner {
  evalSha(sha: string, keys: string[], args: string[]): Promise<unknown>;
  eval(text: string, keys: string[], args: string[]): Promise<unknown>;
}

function scriptStore(runner: ScriptRunner): ValveStore {
  return { open: (policy) => new ScriptGate(runner, policy) };
}

const REJECTED = 0;
const ADMITTED = 1;
/** For how many different costs the arguments are kept ready. */
const KEPT_COSTS = 100;

class ScriptGate implements Gate {
  readonly immediate = false;
  private readonly ruleArguments = new Map<number, readonly string[]>();
  private readonly leaseMax: string;
  private readonly leaseTtl: string;

  constructor(
    private readonly runner: ScriptRunner,
    private readonly policy: Policy,
  ) {
    this.leaseMax = String(policy.lease?.max ?? 0);
    this.leaseTtl = String(policy.lease?.ttl ?? 0);
  }

  async admit(keys: readonly string[], cost: number, holder: string): Promise<Decision> {
    const { policyKey, leaseKey, fingerprint } = this.policy;
    const head = [fingerprint, this.leaseMax, this.leaseTtl, holder];
    return readDecision(await this.run(ADMIT, [policyKey, leaseKey, ...keys], [...head, ...this.argumentsFor(cost)]));
  }

  peek(keys: readonly string[], cost: number): Promise<Decision> {
    return this.admit(keys, cost, '');
  }

  async refund(keys: readonly string[], cost: number, holder: string, { written }: Admission): Promise<void> {
    const steps = this.policy.rules.flatMap((rule, i) => [written[i]!, ...refundOf(rule, cost)]);
    await this.run(REFUND, [this.policy.leaseKey, ...keys], [holder, ...steps]);
  }

  async renew(holders: readonly string[]): Promise<readonly string[]> {
    return (await this.run(RENEW, [this.policy.leaseKey], [this.leaseTtl, ...holders])) as string[];
  }

  async release(holder: string): Promise<void> {
    await this.run(RELEASE, [this.policy.leaseKey], [holder]);
  }

  async resetFingerprint(): Promise<void> {
    await this.run(RESET_FINGERPRINT, [this.policy.policyKey], []);
  }

  private async run({ text, sha }: Script, keys: string[], args: string[]): Promise<unknown> {
    try {
      return await this.runner.evalSha(sha, keys, args);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return this.runner.eval(text, keys, args);
    }
  }

  private argumentsFor(cost: number): readonly string[] {
    let args = this.ruleArguments.get(cost);
    if (args === undefined) {
      args = this.policy.rules.flatMap((rule) => argumentsOf(rule, cost));
      if (this.ruleArguments.size < KEPT_COSTS) this.ruleArguments.set(cost, args);
    }
    return args;
  }
}

function argumentsOf(rule: Rule, cost: number): string[] {
  if (rule.algorithm === 'fixed-window') {
    return [rule.algorithm, String(rule.interval), String(rule.limit), String(cost), '0', '0'];
  }
  const [step, slack] = [stepOf(rule, cost), slackOf(rule, cost)];
  return [rule.algorithm, ...[rule.limit, step.whole, step.part, slack.whole, slack.part].map(String)];
}

function refundOf(rule: Rule, cost: number): string[] {
  if (rule.algorithm === 'fixed-window') return ['', String(cost)];
  const step = stepOf(rule, cost);
  return [String(step.whole), String(step.part)];
}

/** Clients may be set to give integers as strings. */
function readDecision(reply: unknown): Decision {
  const [status, first, ...rest] = reply as [unknown, unknown, ...unknown[]];
  switch (Number(status)) {
    case ADMITTED:
      return { outcome: 'admitted', at: Number(first), written: rest.map(String) };
    case REJECTED: {
      const [leaseWait, ...ruleWaits] = rest.map(Number);
      return { outcome: 'rejected', at: Number(first), ruleWaits, leaseWait: leaseWait! };
    }
    default:
      return { outcome: 'mismatch', stored: String(first) };
  }
}
