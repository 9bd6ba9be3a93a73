/** What a valve refuses with. */

export type ValveErrorCode =
  /** The cost is above what the rule could ever admit at once. */
  | 'COST_EXCEEDS_LIMIT'
  /** Options of the valve or of a job are wrong, or the store holds another policy. */
  | 'INVALID_OPTIONS'
  /** The job could not start within `maxWait`. */
  | 'WAIT_TOO_LONG'
  /** The job's signal was aborted before it started. */
  | 'ABORTED'
  /** The valve is closed. */
  | 'CLOSED'
  /** The store failed, and the valve does not wait (any longer) for it. */
  | 'STORE_UNAVAILABLE';

export interface ValveErrorDetails {
  /** What brought it about: the client's error, the reason of an abort. */
  readonly cause?: unknown;
  /** With `INVALID_OPTIONS`: each thing that is wrong, one sentence each. */
  readonly problems?: readonly string[];
  /** With `WAIT_TOO_LONG`: for how many more ms the rules would have made the job wait, as far as known. */
  readonly wait?: number;
}

export class ValveError extends Error {
  override readonly name = 'ValveError';
  readonly problems: readonly string[];
  readonly wait: number | undefined;

  constructor(
    readonly code: ValveErrorCode,
    message: string,
    { cause, problems = [], wait }: ValveErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.problems = problems;
    this.wait = wait;
  }
}

/** One `INVALID_OPTIONS` for all that is wrong. */
export function invalidOptions(problems: readonly string[]): ValveError {
  return new ValveError('INVALID_OPTIONS', problems.join('; '), { problems });
}
