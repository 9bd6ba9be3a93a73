/** The payload of FUNCTION DUMP: the sources of all libraries, in Redis' own form. */
import { RdbError, VERSION_REDIS_7_0 } from '../../persistence/rdb/format.js';
import { openPayload, sealPayload } from '../../persistence/rdb/payload.js';
import { RdbWriter } from '../../persistence/rdb/writer.js';
import { type Bytes, ErrorReply } from '../../protocol/reply.js';

/** Marks a library (Redis' RDB opcode FUNCTION2). */
const LIBRARY = 0xf5;

export function dumpLibraries(sources: readonly Bytes[]): Bytes {
  const writer = new RdbWriter();
  for (const source of sources) {
    writer.byte(LIBRARY);
    writer.string(source);
  }
  return sealPayload(writer, VERSION_REDIS_7_0);
}

/** The sources in a payload; throws an ErrorReply. */
export function readLibraries(payload: Bytes): Bytes[] {
  const opened = openPayload(payload);
  if (opened === 'footer') throw new ErrorReply('ERR DUMP payload version or checksum are wrong');
  const sources: Bytes[] = [];
  const { reader } = opened;
  try {
    while (!reader.atEnd) {
      if (reader.byte() !== LIBRARY) throw new ErrorReply('ERR given type is not a function');
      sources.push(reader.string());
    }
  } catch (problem) {
    if (problem instanceof RdbError) throw new ErrorReply('ERR failed loading functions payload');
    throw problem;
  }
  return sources;
}
