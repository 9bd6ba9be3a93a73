/** Every command of the server. */
import { connectionCommands } from './connection.js';
import type { CommandRow } from './definition.js';
import { emulatorCommands } from './emulator.js';
import { pubsubCommands } from './pubsub.js';
import { transactionCommands } from './transactions.js';

export const commandRows: readonly CommandRow[] = [
  ...connectionCommands,
  ...transactionCommands,
  ...pubsubCommands,
  ...emulatorCommands,
];
