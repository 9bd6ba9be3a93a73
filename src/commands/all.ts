/** Every command of the server. */

import { clientCommands } from './client.js';
import { commandCommands } from './command.js';
import { configCommands } from './config.js';
import { connectionCommands } from './connection.js';
import type { CommandRow } from './definition.js';
import { emulatorCommands } from './emulator.js';
import { gcraCommands } from './hotkv/gcra.js';
import { listCommands } from './lists.js';
import { pubsubCommands } from './pubsub.js';
import { transactionCommands } from './transactions.js';

export const commandRows: readonly CommandRow[] = [
  ...connectionCommands,
  ...clientCommands,
  ...transactionCommands,
  ...commandCommands,
  ...configCommands,
  ...pubsubCommands,
  ...listCommands,
  ...gcraCommands,
  ...emulatorCommands,
];
