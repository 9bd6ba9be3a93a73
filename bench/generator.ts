/** A load generator for machines without redis-benchmark: writes pipelines, reads replies with redis-parser. */
import { connect } from 'node:net';
import RedisParser from 'redis-parser';
import { encodeCommand } from '../test/support/resp-request.js';
import { RANDOM } from './load.js';

export interface Generation {
  readonly port: number;
  readonly command: readonly string[];
  readonly requests: number;
  readonly pipeline: number;
  readonly connections: number;
  readonly keys: number;
}

/** Digits that take the place of RANDOM. */
const RANDOM_DIGITS = 12;

/** Sends the requests, spread over the connections. Rejects at an error reply or when a connection fails. */
export async function generate(generation: Generation): Promise<void> {
  const share = Math.ceil(generation.requests / generation.connections);
  await Promise.all(Array.from({ length: generation.connections }, () => talk(generation, share)));
}

function talk({ port, command, pipeline, keys }: Generation, requests: number): Promise<void> {
  const parts = encodeCommand(command.map((arg) => arg.replaceAll(RANDOM, '0'.repeat(RANDOM_DIGITS)))).split(
    '0'.repeat(RANDOM_DIGITS),
  );
  const request = () => parts.reduce((text, part) => text + randomDigits(keys) + part);
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let unsent = requests;
    let awaited = 0;
    const fail = (problem: Error) => {
      socket.destroy();
      reject(problem);
    };
    const sendMore = () => {
      awaited = Math.min(pipeline, unsent);
      unsent -= awaited;
      if (awaited === 0) {
        socket.destroy();
        resolve();
        return;
      }
      let text = '';
      for (let i = 0; i < awaited; i++) text += request();
      socket.write(text, 'latin1');
    };
    const parser = new RedisParser({
      returnReply() {
        if (--awaited === 0) sendMore();
      },
      returnError: fail,
      returnFatalError: fail,
    });
    socket.on('connect', sendMore);
    socket.on('data', (chunk) => parser.execute(chunk));
    socket.on('error', fail);
  });
}

function randomDigits(keys: number): string {
  return String(Math.trunc(Math.random() * keys)).padStart(RANDOM_DIGITS, '0');
}
