/** The reply parser of the Redis clients, as far as it is used here. The package brings no types. */
declare module 'redis-parser' {
  interface ParserOptions {
    returnReply(reply: unknown): void;
    returnError(error: Error): void;
    /** What arrived is no reply. */
    returnFatalError(error: Error): void;
  }

  class RedisParser {
    constructor(options: ParserOptions);
    execute(bytes: Buffer): void;
  }

  export = RedisParser;
}
