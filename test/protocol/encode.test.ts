/** Replies as text. What each kind looks like is asked of Redis itself (`oracle.test.ts`). */
import fc from 'fast-check';
import { test } from 'vitest';
import { encode, encodePieces } from '../../src/protocol/encode.js';
import {
  DoubleReply,
  ErrorReply,
  MapReply,
  OK,
  PushReply,
  type Reply,
  SetReply,
  SimpleString,
  VerbatimString,
} from '../../src/protocol/reply.js';

const replies = fc.letrec<{ reply: Reply; scalar: Reply; items: Reply[] }>((tie) => ({
  scalar: fc.oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc.integer(),
    fc.bigInt(),
    fc.boolean(),
    fc.constantFrom<Reply>(null, OK, new ErrorReply('ERR no'), new SimpleString('yes'), new VerbatimString('text')),
    fc.double().map((value) => new DoubleReply(value)),
  ),
  items: fc.array(tie('reply'), { maxLength: 4 }),
  reply: fc.oneof(
    { maxDepth: 4 },
    tie('scalar'),
    tie('items'),
    tie('items').map((items) => new SetReply(items)),
    tie('items').map((items) => new PushReply(items)),
    fc.tuple(tie('scalar'), tie('reply')).map((pair) => new MapReply(pair)),
  ),
})).reply;

test('a reply in pieces is the same text as in one', () => {
  fc.assert(
    fc.property(replies, fc.constantFrom<2 | 3>(2, 3), (reply, resp) => {
      let text = '';
      encodePieces(reply, resp, (piece) => {
        text += piece;
      });
      return text === encode(reply, resp);
    }),
  );
});
