/** OBSERVE, ALERTS, and HotKV's part of INFO. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../../../src/server/start.js';
import { until } from '../../support/process.js';
import { run } from '../../support/run-lines.js';

const NOW = 1_700_000_000_000;
const frozen = (options: ServerOptions = {}) => startServer({ port: -1, clock: NOW, ...options });

async function record(server: RunningServer, line: string): Promise<Record<string, unknown>> {
  const flat = (await run(server, line)) as unknown[];
  return Object.fromEntries(Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]));
}

describe('OBSERVE', () => {
  it('tells the counters of the server', async () => {
    await using server = await frozen();
    await run(server, 'SET a 1', 'SET b 1 EX 100', 'GET nobody', 'PROMPT.PUT p text');
    server.clock.advance(5_000);
    expect(await record(server, 'OBSERVE INFO')).toMatchObject({ enterprise_features: 'full', uptime_seconds: 5 });
    expect(await record(server, 'OBSERVE METRICS')).toMatchObject({
      keys: 2,
      keys_with_expiry: 1,
      keyspace_misses: 1,
      prompt_templates: 1,
      rate_limiters: 0,
    });
  });
});

describe('INFO', () => {
  it('has a section of HotKV', async () => {
    await using server = await frozen({ license: 'prompt' });
    await run(server, 'SET a 1', 'TAG.SET a red blue', 'PROMPT.PUT p text');
    const section = String(await run(server, 'INFO hotkv'));
    expect(section).toMatch(/^# HotKV\r\nlicense:prompt\r\ntags:2\r\ntagged_keys:1\r\n/);
    expect(section).toMatch(/\r\nprompt_templates:1\r\n/);
    expect(await run(server, 'FLUSHALL', 'INFO hotkv')).toMatch(/\r\ntags:0\r\n(.+\r\n)*prompt_templates:0\r\n/);
  });
});

describe('ALERTS', () => {
  it('keeps a webhook and counts what would be sent to it', async () => {
    await using server = await frozen();
    expect(await record(server, 'ALERTS INFO')).toEqual({
      webhook_url: '',
      provider: '',
      supported_providers: 'slack,discord,teams,pagerduty,generic',
      min_severity: 'info',
      enabled: 0,
      flag_enabled: 0,
      alerts_accepted: 0,
      alerts_suppressed: 0,
      alerts_delivered: 0,
      alerts_failed: 0,
    });
    expect(await run(server, 'ALERTS SETURL https://hooks.slack.com/services/x')).toBe('OK');
    expect(await run(server, 'ALERTS SETSEVERITY Warning')).toBe('OK');
    expect(await run(server, 'ALERTS TEST')).toBe('OK accepted; this server delivers no alerts');
    expect(await run(server, 'ALERTS TEST CRITICAL fire')).toMatch(/^OK/);
    expect(await run(server, 'ALERTS TEST warning')).toMatch(/^OK/);
    expect(await run(server, 'ALERTS TEST message')).toMatch(/^OK/);
    expect(await record(server, 'ALERTS INFO')).toMatchObject({
      webhook_url: 'https://hooks.slack.com/services/x',
      provider: 'slack',
      min_severity: 'warning',
      enabled: 1,
      alerts_accepted: 2,
      alerts_suppressed: 2,
    });
    expect(await run(server, 'ALERTS OFF')).toBe('OK');
    expect(await record(server, 'ALERTS INFO')).toMatchObject({ enabled: 0, provider: 'slack' });
    await expect(run(server, 'ALERTS TEST')).rejects.toThrow(/^ERR alerting is off/);
    expect(await run(server, 'ALERTS ON')).toBe('OK');
    await server.call('ALERTS', 'SETURL', '');
    expect(await record(server, 'ALERTS INFO')).toMatchObject({ enabled: 0, webhook_url: '' });
  });

  it.each([
    ['ALERTS SETURL ftp://x', /^ERR invalid url: must be http/],
    ['ALERTS SETURL nothing', /^ERR invalid url/],
    ['ALERTS SETSEVERITY loud', /^ERR invalid severity: must be one of info, warning, critical/],
    ['ALERTS TEST loud message', /^ERR invalid severity/],
    ['ALERTS TEST', /^ERR no webhook is set/],
    ['ALERTS ON', /^ERR no webhook is set/],
  ])('%s is an error', async (line, message) => {
    await using server = await frozen();
    await expect(run(server, line)).rejects.toThrow(message);
  });

  it('delivers where it was told to', async () => {
    const bodies: unknown[] = [];
    const hook = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        bodies.push(JSON.parse(text));
        response.statusCode = bodies.length === 1 ? 204 : 500;
        response.end();
      });
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    await using server = await frozen({ deliverAlerts: true });
    await run(server, `ALERTS SETURL http://127.0.0.1:${(hook.address() as AddressInfo).port}/alerts`);
    await server.call('ALERTS', 'TEST', 'critical', 'grün');
    const delivered = async () => ((await record(server, 'ALERTS INFO')).alerts_delivered === 1 ? true : undefined);
    await until(delivered, 5_000);
    expect(bodies).toMatchObject([{ severity: 'critical', message: 'grün', at: NOW }]);
    await run(server, 'ALERTS TEST');
    await until(async () => ((await record(server, 'ALERTS INFO')).alerts_failed === 1 ? true : undefined), 5_000);
    expect(await record(server, 'ALERTS INFO')).toMatchObject({ flag_enabled: 1, provider: 'generic' });
    hook.closeAllConnections();
    hook.close();
  });
});
