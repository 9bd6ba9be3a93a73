/**
 * The webhook that alerts go to. It is kept and reported; nothing is sent unless the server was started with
 * `--deliver-alerts`, since a development server should call nobody on its own.
 */
import type { Clock } from '../keyspace/clock.js';
import { SEVERITIES, type Severity } from '../keyspace/hotkv/severities.js';
import type { Log } from './log.js';

/** Services that are recognised by the host of the URL; any other is `generic`. */
const PROVIDERS: readonly (readonly [name: string, host: RegExp])[] = [
  ['slack', /(^|\.)slack\.com$/],
  ['discord', /(^|\.)discord(app)?\.com$/],
  ['teams', /(^|\.)office(365)?\.com$/],
  ['pagerduty', /(^|\.)pagerduty\.com$/],
];
const GENERIC = 'generic';

/** How long a delivery may take. */
const DELIVERY_MS = 5000;

export class Alerts {
  /** The services that are recognised. */
  readonly providers: readonly string[] = [...PROVIDERS.map(([name]) => name), GENERIC];
  /** Empty: none. */
  url = '';
  minSeverity: Severity = 'info';
  /** ALERTS ON and OFF. */
  switchedOn = false;
  accepted = 0;
  /** Those under the least severity. */
  suppressed = 0;
  delivered = 0;
  failed = 0;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
    /** Whether alerts are really sent. */
    readonly delivers: boolean,
  ) {}

  get enabled(): boolean {
    return this.switchedOn && this.url !== '';
  }

  /** The service that the URL belongs to; empty without one. */
  get provider(): string {
    if (this.url === '') return '';
    const { hostname } = new URL(this.url);
    return PROVIDERS.find(([, host]) => host.test(hostname))?.[0] ?? GENERIC;
  }

  /** Takes an http or https URL and switches alerting on, or off with an empty one. False for any other text. */
  setUrl(url: string): boolean {
    if (url !== '' && !/^https?:$/.test(parsedUrl(url)?.protocol ?? '')) return false;
    this.url = url;
    this.switchedOn = url !== '';
    return true;
  }

  /** Takes an alert for delivery. */
  raise(severity: Severity, message: string): void {
    if (SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(this.minSeverity)) {
      this.suppressed++;
      return;
    }
    this.accepted++;
    if (this.delivers) void this.deliver(severity, message);
  }

  private async deliver(severity: Severity, message: string): Promise<void> {
    // `text` and `content` are what Slack and Discord show.
    const text = `[${severity}] ${message}`;
    const body = JSON.stringify({
      source: 'hotkv-emulator',
      severity,
      message,
      text,
      content: text,
      at: this.clock.ms,
    });
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(DELIVERY_MS),
      });
      // Nobody reads the answer; its connection would stay open.
      await response.body?.cancel();
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      this.delivered++;
    } catch (problem) {
      this.failed++;
      this.log.warning(`an alert was not delivered: ${problem instanceof Error ? problem.message : String(problem)}`);
    }
  }
}

function parsedUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
