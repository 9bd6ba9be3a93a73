/** The server's log: lines of text or of JSON on standard error, or wherever the program wants them. */

export type LogLevel = 'debug' | 'verbose' | 'notice' | 'warning' | 'nothing';

const RANK: Record<LogLevel, number> = { debug: 0, verbose: 1, notice: 2, warning: 3, nothing: 4 };

export class Log {
  constructor(
    public level: LogLevel = 'notice',
    readonly format: 'text' | 'json' = 'text',
    private readonly output: (line: string) => void = (line) => process.stderr.write(line),
  ) {}

  debug(message: string): void {
    this.write('debug', message);
  }

  notice(message: string): void {
    this.write('notice', message);
  }

  warning(message: string): void {
    this.write('warning', message);
  }

  /** Logs at a level that is named by a value. */
  write(level: LogLevel, message: string): void {
    if (RANK[level] < RANK[this.level]) return;
    // The log tells real time: it is read beside other programs' logs, even while the server's clock is frozen.
    const time = new Date().toISOString();
    this.output(
      this.format === 'json' ? `${JSON.stringify({ time, level, message })}\n` : `${time} ${level}: ${message}\n`,
    );
  }
}
