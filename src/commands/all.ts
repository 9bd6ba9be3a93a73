/** Every command of the server. */

import { bitfieldCommands } from './bitfield.js';
import { bitmapCommands } from './bitmaps.js';
import { clientCommands } from './client.js';
import { commandCommands } from './command.js';
import { configCommands } from './config.js';
import { connectionCommands } from './connection.js';
import { counterCommands } from './counters.js';
import type { CommandRow } from './definition.js';
import { emulatorCommands } from './emulator.js';
import { gcraCommands } from './hotkv/gcra.js';
import { lcsCommands } from './lcs.js';
import { listCommands } from './lists.js';
import { pubsubCommands } from './pubsub.js';
import { stringCommands } from './strings.js';
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
  ...stringCommands,
  ...counterCommands,
  ...lcsCommands,
  ...bitmapCommands,
  ...bitfieldCommands,
  ...emulatorCommands,
];
