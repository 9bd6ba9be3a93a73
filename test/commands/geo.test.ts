/** The geo family over the wire. What is expected here was seen on Redis 8.2.3; the differential runner covers more. */
import { beforeEach, describe, it } from 'vitest';
import { startDialogue } from '../support/dialogue.js';

const dialogue = startDialogue();
beforeEach(() => dialogue.expect([['GEOADD g 13.361389 38.115556 Palermo 15.087269 37.502669 Catania', ':2']]));

const SYNTAX = '-ERR syntax error';
const BAD_UNIT = '-ERR unsupported unit provided. please use M, KM, FT, MI';

describe('positions', () => {
  it('are refused outside of the map, with six decimals', () =>
    dialogue.expect([
      ['GEOADD g 181 1 x', '-ERR invalid longitude,latitude pair 181.000000,1.000000'],
      ['GEOADD g 1 1 x -1e-7 91.123456789 y', '-ERR invalid longitude,latitude pair -0.000000,91.123457'],
      ['GEOADD g inf 0 x', '-ERR invalid longitude,latitude pair inf,0.000000'],
      ['GEOADD g 200.0078125 0 x', '-ERR invalid longitude,latitude pair 200.007812,0.000000'],
      ['GEOADD g x 0 y', '-ERR value is not a valid float'],
      ['GEOPOS g x', '*1 *-1'],
    ]));

  it('are added as ZADD adds, with fewer options', () =>
    dialogue.expect([
      ['GEOADD g NX XX 1 1 x', SYNTAX],
      ['GEOADD g NX CH 1 1', SYNTAX],
      ['GEOADD g CH CH CH CH', SYNTAX],
      ['GEOADD g INCR 1 1 x', SYNTAX],
      ['GEOADD g nx ch 1 1 Palermo 1 1 x', ':1'],
      ['GEOADD g XX CH 1 1 Palermo 1 1 y', ':1'],
      ['ZSCORE g x', '$16 3377822707026402'],
    ]));

  it('are doubles of few digits, and texts', async () => {
    await dialogue.expect([
      ['GEOPOS g Palermo none', '*2 *2 $18 13.361389338970184 $16 38.1155563954963 *-1'],
      ['GEOHASH g Palermo none', '*2 $11 sqc8b49rny0 $-1'],
      ['GEOPOS none a', '*1 *-1'],
      ['GEOPOS g', '*0'],
    ]);
    await dialogue.expect([['GEOPOS g Palermo none', '*2 *2 ,13.361389338970184 ,38.1155563954963 _']], 3);
  });

  it('lie apart by a distance, which is text in both protocols', async () => {
    await dialogue.expect([
      ['GEODIST g Palermo Catania', '$11 166274.1516'],
      ['GEODIST g Palermo Catania KM', '$8 166.2742'],
      ['GEODIST g Palermo none', '$-1'],
      ['GEODIST none a b parsec', BAD_UNIT],
      ['GEODIST g Palermo Catania km x', SYNTAX],
    ]);
    await dialogue.expect([['GEODIST g Palermo Catania', '$11 166274.1516']], 3);
  });

  it('are found in any score', () =>
    dialogue.expect([
      ['ZADD any -inf a -1 b 1e300 c', ':3'],
      ['GEOHASH any a b c', '*3 $11 00bh0hbj200 $11 bp05b5048p0 $11 00bh0hbj200'],
    ]));
});

describe('GEOSEARCH', () => {
  it('answers what was asked for, in a fixed order', async () => {
    const palermo = '$7 Palermo $6 0.0000 :3479099956230698';
    await dialogue.expect([
      ['GEOSEARCH g FROMMEMBER Palermo BYRADIUS 200 km', '*2 $7 Palermo $7 Catania'],
      ['GEOSEARCH g FROMMEMBER Palermo BYRADIUS 9 km WITHHASH WITHDIST', `*1 *3 ${palermo}`],
      ['GEOSEARCH g FROMLONLAT 15 37 BYBOX 400 400 km ASC WITHDIST COUNT 1', '*1 *2 $7 Catania $7 56.4413'],
    ]);
    await dialogue.expect(
      [
        [
          'GEOSEARCH g FROMMEMBER Palermo BYRADIUS 9 km WITHCOORD WITHDIST WITHHASH',
          `*1 *4 ${palermo} *2 ,13.361389338970184 ,38.1155563954963`,
        ],
      ],
      3,
    );
  });

  it('wants one centre and one area', () =>
    dialogue.expect([
      ['GEOSEARCH g FROMMEMBER Palermo FROMLONLAT 1 1 BYRADIUS 3 km', SYNTAX],
      ['GEOSEARCH g FROMMEMBER none FROMLONLAT 1 1 BYRADIUS 3 km', '-ERR could not decode requested zset member'],
      [
        'geoSearch g WITHDIST WITHDIST BYRADIUS 3 km',
        '-ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for geoSearch',
      ],
      [
        'GEOSEARCH g FROMMEMBER Palermo WITHDIST WITHDIST WITHDIST',
        '-ERR exactly one of BYRADIUS and BYBOX can be specified for GEOSEARCH',
      ],
      ['GEOSEARCH g FROMMEMBER Palermo BYRADIUS 1 m BYBOX 1 1 m', SYNTAX],
      ['GEOSEARCH g FROMMEMBER Palermo FROMMEMBER Catania BYRADIUS 5 m BYRADIUS 1 m', '*1 $7 Catania'],
    ]));

  it('refuses lengths that are none', () =>
    dialogue.expect([
      ['GEOSEARCH none FROMMEMBER x BYRADIUS x km', '-ERR need numeric radius'],
      ['GEOSEARCH g FROMMEMBER Palermo BYRADIUS -1 x', '-ERR radius cannot be negative'],
      ['GEOSEARCH g FROMMEMBER Palermo BYRADIUS 1 x', BAD_UNIT],
      ['GEOSEARCH g FROMMEMBER Palermo BYBOX x 1 m', '-ERR need numeric width'],
      ['GEOSEARCH g FROMMEMBER Palermo BYBOX 1 x m', '-ERR need numeric height'],
      ['GEOSEARCH g FROMMEMBER Palermo BYBOX 1 -1 x', '-ERR height or width cannot be negative'],
      ['GEOSEARCH g FROMMEMBER Palermo BYRADIUS 1 m COUNT 0', '-ERR COUNT must be > 0'],
      ['GEOSEARCH g FROMMEMBER Palermo BYRADIUS 1 m ANY', '-ERR the ANY argument requires COUNT argument'],
    ]));

  it('sorts when it counts, but not when any will do', () =>
    dialogue.expect([
      ['GEOADD t 1 1 a 1 1 b 1 1 c 1 2 d', ':4'],
      ['GEOSEARCH t FROMLONLAT 1 2 BYRADIUS 5000 km', '*4 $1 a $1 b $1 c $1 d'],
      ['GEOSEARCH t FROMLONLAT 1 2 BYRADIUS 5000 km COUNT 2', '*2 $1 d $1 a'],
      ['GEOSEARCH t FROMLONLAT 1 2 BYRADIUS 5000 km COUNT 2 ANY', '*2 $1 a $1 b'],
      ['GEOSEARCH t FROMLONLAT 1 1 BYRADIUS 5000 km DESC', '*4 $1 d $1 a $1 b $1 c'],
    ]));
});

describe('stored results', () => {
  it('are sorted sets of positions or of distances', () =>
    dialogue.expect([
      ['GEOSEARCHSTORE t g FROMLONLAT 15 37 BYRADIUS 200 km', ':2'],
      ['ZRANGE t 0 -1 WITHSCORES', '*4 $7 Palermo $16 3479099956230698 $7 Catania $16 3479447370796909'],
      ['GEOSEARCHSTORE t g FROMLONLAT 15 37 BYRADIUS 200 km STOREDIST', ':2'],
      ['ZRANGE t 0 -1 WITHSCORES', '*4 $7 Catania $16 56.4412578701582 $7 Palermo $18 190.44242984775784'],
      ['GEOSEARCHSTORE t g FROMLONLAT 0 0 BYRADIUS 1 km', ':0'],
      ['EXISTS t', ':0'],
      [
        'GEOSEARCHSTORE t g FROMMEMBER Palermo BYRADIUS 1 m WITHDIST',
        '-ERR GEOSEARCHSTORE is not compatible with WITHDIST, WITHHASH and WITHCOORD options',
      ],
    ]));

  it('of GEORADIUS go to the last key that was named', () =>
    dialogue.expect([
      ['GEORADIUS g 15 37 200 km STORE s STOREDIST d', ':2'],
      ['EXISTS s d', ':1'],
      ['ZSCORE d Catania', '$16 56.4412578701582'],
      ['GEORADIUS_RO g 15 37 200 km STORE s', SYNTAX],
      [
        'GEORADIUSBYMEMBER g Palermo 200 km STORE s WITHDIST',
        '-ERR STORE option in GEORADIUS is not compatible with WITHDIST, WITHHASH and WITHCOORD options',
      ],
    ]));

  it('are removed when there is nothing to search, whatever the radius', () =>
    dialogue.expect([
      ['SET t x', '+OK'],
      ['GEORADIUSBYMEMBER none m x x STORE t', ':0'],
      ['EXISTS t', ':0'],
      ['GEORADIUSBYMEMBER none m x x', '*0'],
      ['GEORADIUSBYMEMBER g none x x', '-ERR could not decode requested zset member'],
      ['GEORADIUS none 15 37 1 x', BAD_UNIT],
    ]));
});
