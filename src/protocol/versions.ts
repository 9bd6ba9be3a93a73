/** The Redis version that clients are told, and the HotKV version that this is an emulation of. */
export const REDIS_VERSION = '8.2.0';
export const HOTKV_VERSION = '0.3.0';
/** The version of this package; a test compares it with package.json. */
export const EMULATOR_VERSION = '0.1.0';
