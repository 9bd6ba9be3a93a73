/** Sorted sets over the wire. What is expected here was seen on Redis 8.2.3; the differential runner covers more. */
import { describe, expect, it, vi } from 'vitest';
import { shown, startDialogue } from '../support/dialogue.js';
import { itemsOf, textOf } from '../support/resp-frame.js';

const dialogue = startDialogue();

const SYNTAX = '-ERR syntax error';
const NOT_AN_INTEGER = '-ERR value is not an integer or out of range';
const NOT_A_FLOAT = '-ERR value is not a valid float';
const WRONG_TYPE = '-WRONGTYPE Operation against a key holding the wrong kind of value';
/** Beyond what a listpack holds. */
const LONG = 'w'.repeat(65);

describe('ZADD and ZINCRBY', () => {
  it('refuse options that exclude each other before they read scores', () =>
    dialogue.expect([
      ['ZADD z NX XX 1 a', '-ERR XX and NX options at the same time are not compatible'],
      ['ZADD z NX XX GT LT x a', '-ERR XX and NX options at the same time are not compatible'],
      ['ZADD z NX GT 1 a', '-ERR GT, LT, and/or NX options at the same time are not compatible'],
      ['ZADD z GT LT 1 a', '-ERR GT, LT, and/or NX options at the same time are not compatible'],
      ['ZADD z INCR 1 a 2 b', '-ERR INCR option supports a single increment-element pair'],
      ['ZADD z NX XX 1 a x', SYNTAX],
      ['ZADD z 1 a x b', NOT_A_FLOAT],
      ['ZADD z nan a', NOT_A_FLOAT],
      ['EXISTS z', ':0'],
    ]));

  it('count what is new, or with CH what changed', () =>
    dialogue.expect([
      ['ZADD z 1 a 2 b', ':2'],
      ['ZADD z 1 a 5 b 3 c', ':1'],
      ['ZADD z CH 1 a 6 b 4 d', ':2'],
      ['ZADD z XX CH 7 a 1 e', ':1'],
      ['ZADD z NX 9 a 1 e', ':1'],
      ['ZADD z GT CH 6 a 8 b 1 f', ':2'],
      ['ZADD z LT CH 6 a 9 b', ':1'],
      ['ZRANGE z 0 -1 WITHSCORES', '*12 $1 e $1 1 $1 f $1 1 $1 c $1 3 $1 d $1 4 $1 a $1 6 $1 b $1 8'],
    ]));

  it('answer the new score with INCR, or null where a condition forbids it', () =>
    dialogue.expect([
      ['ZADD z XX INCR 1 a', '$-1'],
      ['ZADD z INCR 1.5 a', '$3 1.5'],
      ['ZADD z NX INCR 1 a', '$-1'],
      ['ZADD z GT INCR -1 a', '$-1'],
      ['ZINCRBY z -0.5 a', '$1 1'],
      ['ZADD i inf a', ':1'],
      ['ZINCRBY i -inf a', '-ERR resulting score is not a number (NaN)'],
      ['ZADD i INCR -inf a', '-ERR resulting score is not a number (NaN)'],
    ]));

  it('treat the increment of ZINCRBY as an option where it is one', () =>
    dialogue.expect([
      ['ZINCRBY z NX a', SYNTAX],
      ['ZINCRBY z x a', NOT_A_FLOAT],
    ]));

  it('keep a score of −0 only where the set is no listpack yet', () =>
    dialogue.expect([
      ['ZADD a -0 m', ':1'],
      ['ZSCORE a m', '$1 0'],
      [`ZADD b -0 m 1 ${LONG}`, ':2'],
      ['ZSCORE b m', '$1 0'],
      [`ZADD c 1 ${LONG} -0 m`, ':2'],
      ['ZSCORE c m', '$2 -0'],
    ]));
});

describe('reading', () => {
  it('answers doubles in RESP3', () =>
    dialogue.expect(
      [
        ['ZADD z 1 a 2.5 b', ':2'],
        ['ZSCORE z b', ',2.5'],
        ['ZSCORE z none', '_'],
        ['ZMSCORE z a none', '*2 ,1 _'],
        ['ZRANK z b WITHSCORE', '*2 :1 ,2.5'],
        ['ZREVRANK z b', ':0'],
        ['ZRANGE z 0 -1 WITHSCORES', '*2 *2 $1 a ,1 *2 $1 b ,2.5'],
      ],
      3,
    ));

  it('knows two nulls of ZRANK', () =>
    dialogue.expect([
      ['ZRANK none a', '$-1'],
      ['ZRANK none a WITHSCORE', '*-1'],
      ['ZRANK none a b', SYNTAX],
      ['ZRANK none a WITHSCORE b', "-ERR wrong number of arguments for 'zrank' command"],
      ['ZMSCORE none a b', '*2 $-1 $-1'],
    ]));

  it('checks the count of ZRANDMEMBER and lists a whole set from its end', () =>
    dialogue.expect([
      ['ZADD z 1 a 2 b 3 c', ':3'],
      ['ZRANDMEMBER z 5 WITHSCORES', '*6 $1 c $1 3 $1 b $1 2 $1 a $1 1'],
      ['ZRANDMEMBER z 0', '*0'],
      ['ZRANDMEMBER z x x', NOT_AN_INTEGER],
      ['ZRANDMEMBER z 1 x', SYNTAX],
      ['ZRANDMEMBER z 4611686018427387904 WITHSCORES', '-ERR value is out of range'],
      [
        'ZRANDMEMBER z -9223372036854775808',
        '-ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807',
      ],
      ['ZRANDMEMBER none', '$-1'],
      ['ZRANDMEMBER none 3', '*0'],
    ]));

  it('repeats members for a negative count', async () => {
    await dialogue.say('ZADD z 1 a');
    await dialogue.expect([['ZRANDMEMBER z -3', '*3 $1 a $1 a $1 a']]);
  });

  it('scans scores as text in both protocols, those of a skiplist with all digits', async () => {
    await dialogue.expect([['ZADD l 0.1 a', ':1']]);
    await dialogue.expect([[`ZADD s 0.1 a 1e-5 ${LONG}`, ':2']]);
    await dialogue.expect([['ZSCAN l 0', '*2 $1 0 *2 $1 a $3 0.1']], 3);
    expect(await dialogue.say('ZSCAN s 0 MATCH a COUNT 100')).toBe('*2 $1 0 *2 $1 a $19 0.10000000000000001');
    await dialogue.expect([
      ['ZSCAN l x', '-ERR invalid cursor'],
      ['ZSCAN l 0 NOVALUES', '-ERR NOVALUES option can only be used in HSCAN'],
      ['ZSCAN none 0 nonsense', '*2 $1 0 *0'],
    ]);
  });
});

describe('ranges', () => {
  const FILL = ['ZADD z 1 a 2 b 3 c 4 d', ':4'] as const;

  it('read score bounds leniently, but not as ZADD does', () =>
    dialogue.expect([
      FILL,
      ['ZCOUNT z (1 +inf', ':3'],
      ['ZCOUNT z  3', ':3'],
      ['ZCOUNT z ( 3', ':3'],
      ['ZCOUNT z -1e400 1e400', ':4'],
      ['ZCOUNT z +2 INFINITY', ':3'],
      ['ZCOUNT z 2\0x 9', ':3'],
      ['ZCOUNT z 0x1 9', '-ERR min or max is not a float'],
      ['ZCOUNT z nan 9', '-ERR min or max is not a float'],
      ['ZCOUNT none ((1 9', '-ERR min or max is not a float'],
    ]));

  it('take options once and only where they mean something', () =>
    dialogue.expect([
      FILL,
      ['ZRANGE z 0 -1 LIMIT 0 -1', '*4 $1 a $1 b $1 c $1 d'],
      [
        'ZRANGE z 0 -1 LIMIT 1 1',
        '-ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX',
      ],
      ['ZRANGE z - + BYLEX WITHSCORES', '-ERR syntax error, WITHSCORES not supported in combination with BYLEX'],
      ['ZRANGE z 0 -1 REV REV', SYNTAX],
      ['ZRANGE z 0 9 BYSCORE BYLEX', SYNTAX],
      ['ZREVRANGE z 0 -1 REV', SYNTAX],
      ['ZRANGE z 4 2 BYSCORE REV LIMIT 1 1', '*1 $1 c'],
      ['ZRANGEBYSCORE z -inf +inf LIMIT -1 2', '*0'],
      ['ZRANGEBYSCORE z -inf +inf LIMIT 1 -2', '*3 $1 b $1 c $1 d'],
      ['ZREVRANGE z 0 1', '*2 $1 d $1 c'],
    ]));

  it('compare members where all scores are equal', () =>
    dialogue.expect([
      ['ZADD l 0 a 0 b 0 c 0 d', ':4'],
      ['ZRANGEBYLEX l [b (d', '*2 $1 b $1 c'],
      ['ZREVRANGEBYLEX l + (b LIMIT 1 5', '*1 $1 c'],
      ['ZRANGEBYLEX l + -', '*0'],
      ['ZLEXCOUNT l - [c', ':3'],
      ['ZLEXCOUNT l -x [c', '-ERR min or max not valid string range item'],
      ['ZREMRANGEBYLEX l [a [b', ':2'],
    ]));

  it('walk over a listpack of several scores as Redis does', () =>
    dialogue.expect([
      ['ZADD m 0 a 0 b 1 0 2 c', ':4'],
      ['ZRANGEBYLEX m [b +', '*3 $1 b $1 0 $1 c'],
      ['ZRANGEBYLEX m - (b', '*1 $1 a'],
      ['ZRANGEBYLEX m - (b LIMIT 2 9', '*1 $1 0'],
      ['ZREVRANGEBYLEX m (b -', '*3 $1 0 $1 b $1 a'],
    ]));

  it('are stored, or remove what was stored', () =>
    dialogue.expect([
      FILL,
      ['ZRANGESTORE t z (1 3 BYSCORE', ':2'],
      ['ZRANGE t 0 -1 WITHSCORES', '*4 $1 b $1 2 $1 c $1 3'],
      ['ZRANGESTORE t z 0 -1 WITHSCORES', SYNTAX],
      ['ZRANGESTORE t none 0 -1', ':0'],
      ['EXISTS t', ':0'],
    ]));

  it('are removed, and the key with the last member', () =>
    dialogue.expect([
      FILL,
      ['ZREMRANGEBYRANK z -1 -1', ':1'],
      ['ZREMRANGEBYSCORE z (1 2', ':1'],
      ['ZREMRANGEBYSCORE z 5 9', ':0'],
      ['ZREMRANGEBYRANK z 0 -1', ':2'],
      ['EXISTS z', ':0'],
      ['ZREMRANGEBYRANK none x y', NOT_AN_INTEGER],
    ]));
});

describe('combinations', () => {
  it('count sets as sorted sets of score 1', () =>
    dialogue.expect([
      ['SADD s a b', ':2'],
      ['ZADD z 5 b 7 c', ':2'],
      ['ZUNION 2 s z WITHSCORES', '*6 $1 a $1 1 $1 b $1 6 $1 c $1 7'],
      ['ZINTER 2 s z WEIGHTS 10 1 WITHSCORES', '*2 $1 b $2 15'],
      ['ZDIFF 2 s z WITHSCORES', '*2 $1 a $1 1'],
      ['ZUNIONSTORE t 2 s z AGGREGATE MIN', ':3'],
      ['ZSCORE t b', '$1 1'],
      ['SET text x', '+OK'],
      ['ZUNION 2 s text', WRONG_TYPE],
    ]));

  it('make zero of what is no number, except a later score of an intersection', () =>
    dialogue.expect([
      ['ZADD p inf a 1 b', ':2'],
      ['ZADD q -inf a 5 b 7 c', ':3'],
      ['ZINTER 2 p q WITHSCORES', '*4 $1 a $1 0 $1 b $1 6'],
      ['ZINTER 2 p q WEIGHTS 0 1 WITHSCORES', '*4 $1 a $4 -inf $1 b $1 5'],
      ['ZINTER 2 p q WEIGHTS 1 0 WITHSCORES', '*4 $1 a $1 0 $1 b $1 1'],
      ['ZINTER 2 p q WEIGHTS 2 0 AGGREGATE MAX WITHSCORES', '*4 $1 b $1 2 $1 a $3 inf'],
    ]));

  it('read their arguments in order', () =>
    dialogue.expect([
      ['ZUNION 0 z', "-ERR at least 1 input key is needed for 'zunion' command"],
      ['ZUNIONSTORE t x z', NOT_AN_INTEGER],
      ['ZUNION 2 z', SYNTAX],
      ['ZUNION 1 z WEIGHTS x', '-ERR weight value is not a float'],
      ['ZUNION 1 z WEIGHTS 1 1', SYNTAX],
      ['ZUNION 1 z AGGREGATE x', SYNTAX],
      ['ZDIFF 1 z WEIGHTS 1', SYNTAX],
      ['ZINTERSTORE t 1 z WITHSCORES', SYNTAX],
      ['ZINTERCARD 1 z LIMIT -1', "-ERR LIMIT can't be negative"],
      ['ZINTERCARD 1 z LIMIT x', "-ERR LIMIT can't be negative"],
    ]));

  it('count an intersection up to a limit', () =>
    dialogue.expect([
      ['ZADD z 1 a 2 b 3 c', ':3'],
      ['ZINTERCARD 2 z z LIMIT 2', ':2'],
      ['ZINTERCARD 2 z z LIMIT 0', ':3'],
      ['ZINTERCARD 2 z none', ':0'],
    ]));

  it('store small results as listpacks', () =>
    dialogue.expect([
      ['ZADD z 1 a', ':1'],
      ['ZUNIONSTORE t 1 z WEIGHTS 0', ':1'],
      ['OBJECT ENCODING t', '$8 listpack'],
      ['ZDIFFSTORE t 2 z z', ':0'],
      ['EXISTS t', ':0'],
    ]));
});

describe('pops', () => {
  it('nest pairs in RESP3 when a count was given, and always in ZMPOP', async () => {
    await dialogue.expect([
      ['ZADD z 1 a 2 b 3 c 4 d 5 e 6 f', ':6'],
      ['ZPOPMIN z', '*2 $1 a $1 1'],
      ['ZMPOP 2 none z MAX', '*2 $1 z *1 *2 $1 f $1 6'],
    ]);
    await dialogue.expect(
      [
        ['ZPOPMIN z', '*2 $1 b ,2'],
        ['ZPOPMAX z 1', '*1 *2 $1 e ,5'],
        ['BZPOPMAX z 0', '*3 $1 z $1 d ,4'],
        ['ZMPOP 1 z MIN COUNT 9', '*2 $1 z *1 *2 $1 c ,3'],
        ['ZMPOP 1 z MIN', '_'],
      ],
      3,
    );
  });

  it('check counts and keys', () =>
    dialogue.expect([
      ['ZPOPMIN none', '*0'],
      ['ZPOPMIN none -1', '-ERR value is out of range, must be positive'],
      ['ZPOPMIN none 1 2', SYNTAX],
      ['ZMPOP 0 none MIN', '-ERR numkeys should be greater than 0'],
      ['ZMPOP 1 none MIN COUNT 0', '-ERR count should be greater than 0'],
      ['ZMPOP 1 none MIN COUNT 1 COUNT 1', SYNTAX],
      ['ZMPOP 1 none FIRST', SYNTAX],
    ]));

  it('read the time-out of BZMPOP and BLMPOP last', () =>
    dialogue.expect([
      ['BZMPOP x 0 none MIN', '-ERR numkeys should be greater than 0'],
      ['BZMPOP x 1 none MIN COUNT 0', '-ERR count should be greater than 0'],
      ['BZMPOP x 1 none MIN', '-ERR timeout is not a float or out of range'],
      ['BLMPOP x 1 none LEFT COUNT 0', '-ERR count should be greater than 0'],
      ['BZPOPMIN none -1', '-ERR timeout is negative'],
    ]));

  it('wait for a sorted set, and for no other type', async () => {
    const waiter = await dialogue.connect();
    waiter.send(['BZMPOP', '0', '2', 'other', 'z', 'MAX', 'COUNT', '2']);
    await vi.waitFor(async () => expect(await dialogue.say('INFO clients')).toContain('blocked_clients:1 '));
    await dialogue.expect([
      ['RPUSH other x', ':1'],
      ['DEL other', ':1'],
      ['ZADD z 1 a 2 b 3 c', ':3'],
    ]);
    expect(shown(await waiter.read())).toBe('*2 $1 z *2 *2 $1 c $1 3 *2 $1 b $1 2');
    await dialogue.expect([['ZRANGE z 0 -1', '*1 $1 a']]);
  });
});

it('sends an event for each change, and one for a key that goes', async () => {
  await dialogue.say('CONFIG SET notify-keyspace-events Ezg');
  const listener = await dialogue.connect();
  await listener.call('PSUBSCRIBE', '__keyevent@0__:*');
  const eventsOf: Readonly<Record<string, readonly string[]>> = {
    'ZADD z 1 a 2 b 3 c 4 d': ['zadd'],
    'ZADD z 1 a': [],
    'ZADD z INCR 1 a': ['zincr'],
    'ZINCRBY z 0 a': [],
    'ZREM z a none': ['zrem'],
    'ZPOPMIN z': ['zpopmin'],
    'ZREMRANGEBYRANK z 0 0': ['zremrangebyrank'],
    'ZUNIONSTORE t 1 z': ['zunionstore'],
    'ZMPOP 1 z MAX': ['zpopmax', 'del'],
    'ZRANGESTORE t z 0 -1': ['del'],
    'ZRANGESTORE t z 0 0': [],
  };
  for (const [command, events] of Object.entries(eventsOf)) {
    await dialogue.say(command);
    await dialogue.say('PUBLISH __keyevent@0__:end x');
    for (const event of [...events, 'end']) {
      expect(textOf(itemsOf(await listener.read())[2]), command).toBe(`__keyevent@0__:${event}`);
    }
  }
});
