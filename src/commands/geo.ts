/** The geo family: members of sorted sets whose scores are positions on the earth. */

import { NOTIFY } from '../keyspace/notifications.js';
import {
  formatGeoDistance,
  GEO_UNITS,
  type GeoPoint,
  geoDistance,
  geohashText,
  geoPoint,
  geoScore,
  isValidGeoPoint,
} from '../keyspace/values/geo.js';
import { distanceWithin, type GeoShape, geoScoreRanges } from '../keyspace/values/geo-area.js';
import { SortedSet } from '../keyspace/values/sorted-set.js';
import { SYNTAX } from '../protocol/errors.js';
import { formatFixed } from '../protocol/numbers-printf.js';
import { type Bytes, DoubleReply, ErrorReply, NULL_ARRAY, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { doubleArg, OptionReader, rangedArg, readValue } from './args.js';
import { storeResult } from './collections.js';
import { type CommandRow, key, keywordKeys } from './definition.js';
import { sortFirst } from './partial-sort.js';
import { zadd } from './sorted-sets.js';

export const geoCommands: readonly CommandRow[] = [
  {
    name: 'geoadd',
    arity: -5,
    flags: ['write', 'denyoom'],
    group: 'geo',
    keys: [key('RW update')],
    since: '3.2.0',
    complexity: 'O(log(N)) for each member, N being the size of the set',
    summary: 'Adds members with positions to a sorted set, or moves them.',
    syntax: 'key [condition:(NX | XX)] [change=CH] data:(longitude:double latitude:double member)...',
    handler: geoadd,
  },
  {
    name: 'geopos',
    arity: -2,
    flags: ['readonly'],
    group: 'geo',
    keys: [key('RO access')],
    since: '3.2.0',
    complexity: 'O(N), N being the number of members asked for',
    summary: 'Tells the positions of members.',
    syntax: 'key [member...]',
    handler: geopos,
  },
  {
    name: 'geodist',
    arity: -4,
    flags: ['readonly'],
    group: 'geo',
    keys: [key('RO access')],
    since: '3.2.0',
    complexity: 'O(1)',
    summary: 'Tells the distance between two members.',
    syntax: 'key member1 member2 [unit:(M | KM | FT | MI)]',
    handler: geodist,
  },
  {
    name: 'geohash',
    arity: -2,
    flags: ['readonly'],
    group: 'geo',
    keys: [key('RO access')],
    since: '3.2.0',
    complexity: 'O(N), N being the number of members asked for',
    summary: 'Tells the positions of members as geohash texts.',
    syntax: 'key [member...]',
    handler: geohash,
  },
  {
    name: 'geosearch',
    arity: -7,
    flags: ['readonly'],
    group: 'geo',
    keys: [key('RO access')],
    since: '6.2.0',
    complexity: 'O(N+log(M)), N being the members in the cells around the area and M the size of the set',
    summary: 'Finds the members in a circle or a box.',
    syntax:
      'key from:(FROMMEMBER member | FROMLONLAT fromlonlat:(longitude:double latitude:double)) by:(circle:(BYRADIUS radius:double unit:(M | KM | FT | MI)) | box:(BYBOX width:double height:double unit:(M | KM | FT | MI))) [order:(ASC | DESC)] [count-block:(COUNT count:integer [ANY])] [WITHCOORD] [WITHDIST] [WITHHASH]',
    handler: geosearch,
  },
  {
    name: 'geosearchstore',
    arity: -8,
    flags: ['write', 'denyoom'],
    group: 'geo',
    keys: [key('OW update'), key('RO access', 2)],
    since: '6.2.0',
    complexity: 'O(N+log(M)), N being the members in the cells around the area and M the size of the set',
    summary: 'Stores the members in a circle or a box as a new set.',
    syntax:
      'destination:key source:key from:(FROMMEMBER member | FROMLONLAT fromlonlat:(longitude:double latitude:double)) by:(circle:(BYRADIUS radius:double unit:(M | KM | FT | MI)) | box:(BYBOX width:double height:double unit:(M | KM | FT | MI))) [order:(ASC | DESC)] [count-block:(COUNT count:integer [ANY])] [STOREDIST]',
    handler: geosearchstore,
  },
  {
    name: 'georadius',
    arity: -6,
    flags: ['write', 'denyoom', 'movablekeys'],
    group: 'geo',
    keys: [
      key('RO access'),
      keywordKeys('OW update', 'STORE', 6, 0, 0),
      keywordKeys('OW update', 'STOREDIST', 6, 0, 0),
    ],
    since: '3.2.0',
    complexity: 'O(N+log(M)), N being the members in the cells around the area and M the size of the set',
    summary: 'Finds the members around a position, and may store them.',
    syntax:
      'key longitude:double latitude:double radius:double unit:(M | KM | FT | MI) [WITHCOORD] [WITHDIST] [WITHHASH] [count-block:(COUNT count:integer [ANY])] [order:(ASC | DESC)] [store:(STORE storekey:key | STOREDIST storedistkey:key)]',
    handler: georadius,
  },
  {
    name: 'georadius_ro',
    arity: -6,
    flags: ['readonly'],
    group: 'geo',
    keys: [key('RO access')],
    since: '3.2.10',
    complexity: 'O(N+log(M)), N being the members in the cells around the area and M the size of the set',
    summary: 'Finds the members around a position, and never stores.',
    syntax:
      'key longitude:double latitude:double radius:double unit:(M | KM | FT | MI) [WITHCOORD] [WITHDIST] [WITHHASH] [count-block:(COUNT count:integer [ANY])] [order:(ASC | DESC)]',
    handler: georadiusRo,
  },
  {
    name: 'georadiusbymember',
    arity: -5,
    flags: ['write', 'denyoom', 'movablekeys'],
    group: 'geo',
    keys: [
      key('RO access'),
      keywordKeys('OW update', 'STORE', 5, 0, 0),
      keywordKeys('OW update', 'STOREDIST', 5, 0, 0),
    ],
    since: '3.2.0',
    complexity: 'O(N+log(M)), N being the members in the cells around the area and M the size of the set',
    summary: 'Finds the members around another member, and may store them.',
    syntax:
      'key member radius:double unit:(M | KM | FT | MI) [WITHCOORD] [WITHDIST] [WITHHASH] [count-block:(COUNT count:integer [ANY])] [order:(ASC | DESC)] [store:(STORE storekey:key | STOREDIST storedistkey:key)]',
    handler: georadiusbymember,
  },
  {
    name: 'georadiusbymember_ro',
    arity: -5,
    flags: ['readonly'],
    group: 'geo',
    keys: [key('RO access')],
    since: '3.2.10',
    complexity: 'O(N+log(M)), N being the members in the cells around the area and M the size of the set',
    summary: 'Finds the members around another member, and never stores.',
    syntax:
      'key member radius:double unit:(M | KM | FT | MI) [WITHCOORD] [WITHDIST] [WITHHASH] [count-block:(COUNT count:integer [ANY])] [order:(ASC | DESC)]',
    handler: georadiusbymemberRo,
  },
];

// Members and their positions

function geoadd(ctx: Session, args: Bytes[]): Reply {
  let at = 2;
  while (at < args.length && /^(?:NX|XX|CH)$/i.test(args[at]!)) at++;
  const options = args.slice(2, at).map((option) => option.toUpperCase());
  if ((args.length - at) % 3 !== 0 || (options.includes('NX') && options.includes('XX'))) return SYNTAX;
  const addition = ['zadd', args[1]!, ...options];
  for (; at < args.length; at += 3) {
    const { longitude, latitude } = pointArg(args[at]!, args[at + 1]!);
    addition.push(String(geoScore(longitude, latitude)), args[at + 2]!);
  }
  return zadd(ctx, addition);
}

function geopos(ctx: Session, args: Bytes[]): Reply {
  return tellOfMembers(ctx, args, (score) => (score === undefined ? NULL_ARRAY : pointReply(geoPoint(score))));
}

function geohash(ctx: Session, args: Bytes[]): Reply {
  return tellOfMembers(ctx, args, (score) => (score === undefined ? null : geohashText(score)));
}

/** A reply for each member named; the score is undefined when there is no such member. */
function tellOfMembers(ctx: Session, args: Bytes[], tell: (score: number | undefined) => Reply): Reply {
  const set = readValue(ctx, args[1]!, SortedSet);
  return args.slice(2).map((member) => tell(set?.get(member)));
}

function pointReply({ longitude, latitude }: GeoPoint): Reply {
  return [new DoubleReply(longitude), new DoubleReply(latitude)];
}

function geodist(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 5) return SYNTAX;
  const unit = args.length === 5 ? unitArg(args[4]!) : 1;
  const set = readValue(ctx, args[1]!, SortedSet);
  const score1 = set?.get(args[2]!);
  const score2 = set?.get(args[3]!);
  if (score1 === undefined || score2 === undefined) return null;
  const from = geoPoint(score1);
  const to = geoPoint(score2);
  return formatGeoDistance(geoDistance(from.longitude, from.latitude, to.longitude, to.latitude) / unit);
}

// Searching

function geosearch(ctx: Session, args: Bytes[]): Reply {
  const set = readValue(ctx, args[1]!, SortedSet);
  return searchArea(ctx, set, args, 2, 'search', undefined);
}

function geosearchstore(ctx: Session, args: Bytes[]): Reply {
  const set = readValue(ctx, args[2]!, SortedSet);
  return searchArea(ctx, set, args, 3, 'search and store', args[1]!);
}

function searchArea(
  ctx: Session,
  set: SortedSet | undefined,
  args: Bytes[],
  optionsAt: number,
  dialect: Dialect,
  target: Bytes | undefined,
): Reply {
  const search = newSearch(set, target);
  readOptions(search, new OptionReader(args, optionsAt), dialect);
  rejectDetailsWhenStoring(search, 'GEOSEARCHSTORE is');
  if (search.centre === undefined) return missingArea('FROMMEMBER or FROMLONLAT', args[0]!);
  if (search.extent === undefined) return missingArea('BYRADIUS and BYBOX', args[0]!);
  return runSearch(ctx, search, search.centre, search.extent, 'geosearchstore');
}

function missingArea(options: string, command: Bytes): ErrorReply {
  return new ErrorReply(`ERR exactly one of ${options} can be specified for ${command}`);
}

function georadius(ctx: Session, args: Bytes[]): Reply {
  return searchAroundPoint(ctx, args, 'radius');
}

function georadiusRo(ctx: Session, args: Bytes[]): Reply {
  return searchAroundPoint(ctx, args, 'radius without storing');
}

function searchAroundPoint(ctx: Session, args: Bytes[], dialect: Dialect): Reply {
  const search = newSearch(readValue(ctx, args[1]!, SortedSet));
  const centre = pointArg(args[2]!, args[3]!);
  const extent = circleArg(args[4]!, args[5]!);
  return searchCircle(ctx, search, centre, extent, new OptionReader(args, 6), dialect);
}

function georadiusbymember(ctx: Session, args: Bytes[]): Reply {
  return searchAroundMember(ctx, args, 'radius');
}

function georadiusbymemberRo(ctx: Session, args: Bytes[]): Reply {
  return searchAroundMember(ctx, args, 'radius without storing');
}

function searchAroundMember(ctx: Session, args: Bytes[], dialect: Dialect): Reply {
  const search = newSearch(readValue(ctx, args[1]!, SortedSet));
  const centre = memberPoint(search.set, args[2]!);
  // Redis does not look at the radius when there is nothing to find.
  const extent = search.set === undefined ? NO_EXTENT : circleArg(args[3]!, args[4]!);
  return searchCircle(ctx, search, centre, extent, new OptionReader(args, 5), dialect);
}

function searchCircle(
  ctx: Session,
  search: Search,
  centre: GeoPoint,
  extent: Extent,
  words: OptionReader,
  dialect: Dialect,
): Reply {
  readOptions(search, words, dialect);
  rejectDetailsWhenStoring(search, 'STORE option in GEORADIUS is');
  return runSearch(ctx, search, centre, extent, 'georadiusstore');
}

/** Which options a command of the search family has beside those that all have. */
type Dialect = 'radius' | 'radius without storing' | 'search' | 'search and store';

/** The reach of an area, in metres, and the metres of the unit that it was given in. */
type Extent = { readonly unit: number } & (
  | { readonly kind: 'circle'; readonly radius: number }
  | { readonly kind: 'box'; readonly width: number; readonly height: number }
);

/** For a search in a key that is not there. */
const NO_EXTENT: Extent = { kind: 'circle', radius: 0, unit: 1 };

/** What is searched for, as far as it has been read. */
interface Search {
  readonly set: SortedSet | undefined;
  centre: GeoPoint | undefined;
  /** The option that told the centre. */
  centreOption: 'FROMMEMBER' | 'FROMLONLAT' | undefined;
  extent: Extent | undefined;
  withCoord: boolean;
  withDist: boolean;
  withHash: boolean;
  order: 'nearest first' | 'farthest first' | undefined;
  /** 0: all. */
  count: number;
  /** The first that are found will do. */
  any: boolean;
  /** The key that gets the result. */
  target: Bytes | undefined;
  /** Scores of the stored result are distances, not positions. */
  storesDistances: boolean;
}

function newSearch(set: SortedSet | undefined, target?: Bytes): Search {
  return {
    set,
    centre: undefined,
    centreOption: undefined,
    extent: undefined,
    withCoord: false,
    withDist: false,
    withHash: false,
    order: undefined,
    count: 0,
    any: false,
    target,
    storesDistances: false,
  };
}

const COUNT_NOT_POSITIVE = new ErrorReply('ERR COUNT must be > 0');
const ANY_WITHOUT_COUNT = new ErrorReply('ERR the ANY argument requires COUNT argument');

function readOptions(search: Search, words: OptionReader, dialect: Dialect): void {
  while (words.more) {
    const option = words.keyword();
    if (option === 'WITHDIST') search.withDist = true;
    else if (option === 'WITHHASH') search.withHash = true;
    else if (option === 'WITHCOORD') search.withCoord = true;
    else if (option === 'ANY') search.any = true;
    else if (option === 'ASC') search.order = 'nearest first';
    else if (option === 'DESC') search.order = 'farthest first';
    else if (option === 'COUNT' && words.more) search.count = rangedArg(words.next(), 1, Infinity, COUNT_NOT_POSITIVE);
    else if (dialect === 'radius') readStoreOption(search, option, words);
    else if (dialect === 'search and store' && option === 'STOREDIST') search.storesDistances = true;
    else if (dialect !== 'radius without storing') readAreaOption(search, option, words);
    else throw SYNTAX;
  }
}

/** `STORE key` or `STOREDIST key` of GEORADIUS. */
function readStoreOption(search: Search, option: string, words: OptionReader): void {
  if (option !== 'STORE' && option !== 'STOREDIST') throw SYNTAX;
  search.target = words.next();
  search.storesDistances = option === 'STOREDIST';
}

/** FROMMEMBER, FROMLONLAT, BYRADIUS or BYBOX of GEOSEARCH; the same one may be given again. */
function readAreaOption(search: Search, option: string, words: OptionReader): void {
  const { centreOption, extent } = search;
  if (option === 'FROMMEMBER' && centreOption !== 'FROMLONLAT' && words.left >= 1) {
    search.centre = memberPoint(search.set, words.next());
    search.centreOption = option;
  } else if (option === 'FROMLONLAT' && centreOption !== 'FROMMEMBER' && words.left >= 2) {
    search.centre = pointArg(words.next(), words.next());
    search.centreOption = option;
  } else if (option === 'BYRADIUS' && extent?.kind !== 'box' && words.left >= 2) {
    search.extent = circleArg(words.next(), words.next());
  } else if (option === 'BYBOX' && extent?.kind !== 'circle' && words.left >= 3) {
    search.extent = boxArg(words.next(), words.next(), words.next());
  } else throw SYNTAX;
}

function rejectDetailsWhenStoring({ target, withCoord, withDist, withHash }: Search, who: string): void {
  if (target === undefined || !(withCoord || withDist || withHash)) return;
  throw new ErrorReply(`ERR ${who} not compatible with WITHDIST, WITHHASH and WITHCOORD options`);
}

/** A member in the area. */
interface Found {
  readonly member: Bytes;
  readonly score: number;
  readonly point: GeoPoint;
  /** Distance from the centre. */
  readonly metres: number;
}

function runSearch(ctx: Session, search: Search, centre: GeoPoint, extent: Extent, storeEvent: string): Reply {
  const { set, any, count, target } = search;
  if (any && count === 0) return ANY_WITHOUT_COUNT;
  const found = set === undefined ? [] : findWithin(set, { ...extent, centre }, any ? count : 0);
  arrange(found, search);
  if (target === undefined) return found.map((each) => foundReply(each, search, extent.unit));

  const limits = ctx.server.encodingLimits;
  const result = SortedSet.forMembers(Infinity, 0, limits);
  for (const { member, score, metres } of found) {
    result.set(member, search.storesDistances ? metres / extent.unit : score, limits);
  }
  result.shrinkToListpack(limits);
  return storeResult(ctx, target, result, NOTIFY.sortedSet, storeEvent);
}

/** The members in an area, in the order of its cells; no more than `limit` unless that is 0. */
function findWithin(set: SortedSet, shape: GeoShape, limit: number): Found[] {
  const found: Found[] = [];
  for (const { min, max } of geoScoreRanges(shape)) {
    const start = set.rankOfScoreLower(min, false);
    const { members, scores } = set.range(start, set.rankOfScoreUpper(max, true) - 1);
    for (let i = 0; i < members.length; i++) {
      const point = geoPoint(scores[i]!);
      const metres = distanceWithin(shape, point.longitude, point.latitude);
      if (metres === null) continue;
      found.push({ member: members[i]!, score: scores[i]!, point, metres });
      if (found.length === limit) return found;
    }
  }
  return found;
}

/** Puts what was found in the order asked for and cuts it to the number asked for, which means the nearest. */
function arrange(found: Found[], { order, count, any }: Search): void {
  const wanted = count === 0 ? found.length : Math.min(count, found.length);
  const effectiveOrder = order ?? (count > 0 && !any ? 'nearest first' : undefined);
  if (effectiveOrder !== undefined) {
    const compare = effectiveOrder === 'nearest first' ? nearestFirst : farthestFirst;
    // Equally near members stay as they were found, but not where only a part is wanted: that is how Redis sorts.
    if (wanted === found.length) found.sort(compare);
    else sortFirst(found, wanted, compare);
  }
  found.length = wanted;
}

function nearestFirst(a: Found, b: Found): number {
  return a.metres - b.metres;
}

function farthestFirst(a: Found, b: Found): number {
  return b.metres - a.metres;
}

function foundReply({ member, score, point, metres }: Found, search: Search, unit: number): Reply {
  if (!search.withDist && !search.withHash && !search.withCoord) return member;
  const reply: Reply[] = [member];
  if (search.withDist) reply.push(formatGeoDistance(metres / unit));
  if (search.withHash) reply.push(Math.trunc(score));
  if (search.withCoord) reply.push(pointReply(point));
  return reply;
}

// Arguments

const NO_POSITION = new ErrorReply('ERR could not decode requested zset member');
const BAD_UNIT = new ErrorReply('ERR unsupported unit provided. please use M, KM, FT, MI');
const BAD_RADIUS = new ErrorReply('ERR need numeric radius');
const NEGATIVE_RADIUS = new ErrorReply('ERR radius cannot be negative');
const BAD_WIDTH = new ErrorReply('ERR need numeric width');
const BAD_HEIGHT = new ErrorReply('ERR need numeric height');
const NEGATIVE_BOX = new ErrorReply('ERR height or width cannot be negative');

/** The position of a member. Where there is no set nothing will be found, from wherever it is looked for. */
function memberPoint(set: SortedSet | undefined, member: Bytes): GeoPoint {
  if (set === undefined) return { longitude: 0, latitude: 0 };
  const score = set.get(member);
  if (score === undefined) throw NO_POSITION;
  return geoPoint(score);
}

function pointArg(longitudeText: Bytes, latitudeText: Bytes): GeoPoint {
  const longitude = doubleArg(longitudeText);
  const latitude = doubleArg(latitudeText);
  if (isValidGeoPoint(longitude, latitude)) return { longitude, latitude };
  throw new ErrorReply(`ERR invalid longitude,latitude pair ${formatFixed(longitude, 6)},${formatFixed(latitude, 6)}`);
}

function circleArg(radiusText: Bytes, unitText: Bytes): Extent {
  const radius = doubleArg(radiusText, BAD_RADIUS);
  if (radius < 0) throw NEGATIVE_RADIUS;
  const unit = unitArg(unitText);
  return { kind: 'circle', radius: radius * unit, unit };
}

function boxArg(widthText: Bytes, heightText: Bytes, unitText: Bytes): Extent {
  const width = doubleArg(widthText, BAD_WIDTH);
  const height = doubleArg(heightText, BAD_HEIGHT);
  if (width < 0 || height < 0) throw NEGATIVE_BOX;
  const unit = unitArg(unitText);
  return { kind: 'box', width: width * unit, height: height * unit, unit };
}

function unitArg(text: Bytes): number {
  const metres = GEO_UNITS.get(text.toLowerCase());
  if (metres === undefined) throw BAD_UNIT;
  return metres;
}
