/** The public API of hotkv-emulator: start a server inside a test or a program. */
export { ConfigError } from './protocol/problems.js';
export { HOTKV_VERSION, REDIS_VERSION } from './protocol/versions.js';
export type { CallArgument, CallResult } from './server/js-values.js';
export type { LogLevel } from './server/log.js';
export { CommandError, type RunningServer, type ServerClock, type ServerOptions, startServer } from './server/start.js';
