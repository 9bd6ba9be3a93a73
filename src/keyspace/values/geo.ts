/**
 * Positions on the earth as Redis keeps them: a 52-bit geohash that is the score of a sorted set, distances on a
 * sphere, and the text form of a geohash.
 *
 * Longitudes and latitudes are degrees, distances metres. A geohash interleaves 26 bits of each, the longitude's
 * above the latitude's, so cells near one another mostly have scores near one another (see `geo-area.ts`).
 */

import type { Bytes } from '../../protocol/reply.js';
import { accurateArcSine, accurateCosine, accurateSine } from './accurate-trigonometry.js';

export const MIN_LONGITUDE = -180;
export const MAX_LONGITUDE = 180;
/** The latitudes of the square web map (EPSG:3857); positions nearer to the poles are refused. */
export const MIN_LATITUDE = -85.05112878;
export const MAX_LATITUDE = 85.05112878;

/** The bits of a score for each coordinate. */
export const GEO_MAX_STEPS = 26;

/** The earth's radius that Redis reckons with. */
export const EARTH_RADIUS_METRES = 6372797.560856;

/** Metres in each unit that GEO commands take, by its name in lower case. */
export const GEO_UNITS: ReadonlyMap<Bytes, number> = new Map([
  ['m', 1],
  ['km', 1000],
  ['ft', 0.3048],
  ['mi', 1609.34],
]);

export interface GeoPoint {
  readonly longitude: number;
  readonly latitude: number;
}

/** Whether GEOADD accepts the position. */
export function isValidGeoPoint(longitude: number, latitude: number): boolean {
  return (
    longitude >= MIN_LONGITUDE && longitude <= MAX_LONGITUDE && latitude >= MIN_LATITUDE && latitude <= MAX_LATITUDE
  );
}

/** What the processor makes of a double that is below all 64-bit integers. */
const BEYOND_INT64 = 2 ** 63;

/** The score of a position: an integer of 52 bits. */
export function geoScore(longitude: number, latitude: number): number {
  return interleave(
    columnOf(longitude, MIN_LONGITUDE, MAX_LONGITUDE, GEO_MAX_STEPS),
    columnOf(latitude, MIN_LATITUDE, MAX_LATITUDE, GEO_MAX_STEPS),
  );
}

/** The position a score stands for: the middle of its cell. Any score has one, as far as 64 bits can hold it. */
export function geoPoint(score: number): GeoPoint {
  const cell = deinterleave(score < -BEYOND_INT64 ? BEYOND_INT64 : score);
  return {
    longitude: middleOf(cell.x, MIN_LONGITUDE, MAX_LONGITUDE),
    latitude: middleOf(cell.y, MIN_LATITUDE, MAX_LATITUDE),
  };
}

/**
 * The 11 letters that GEOHASH answers. The common geohash has latitudes to the poles, so the position is encoded anew;
 * its 52 bits are ten letters, and the eleventh is always `0`.
 */
export function geohashText(score: number): Bytes {
  const { longitude, latitude } = geoPoint(score);
  const hash = interleave(columnOf(longitude, -180, 180, GEO_MAX_STEPS), columnOf(latitude, -90, 90, GEO_MAX_STEPS));
  let text = '';
  for (let letter = 0; letter < 10; letter++) {
    text += GEOHASH_ALPHABET[Math.floor(hash / 2 ** (47 - letter * 5)) % 32];
  }
  return `${text}0`;
}

const GEOHASH_ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz';

/** The great-circle distance in metres (haversine). */
export function geoDistance(longitude1: number, latitude1: number, longitude2: number, latitude2: number): number {
  const v = accurateSine((radians(longitude2) - radians(longitude1)) / 2);
  if (v === 0) return latitudeDistance(latitude1, latitude2);
  const lat1 = radians(latitude1);
  const lat2 = radians(latitude2);
  const u = accurateSine((lat2 - lat1) / 2);
  const chord = u * u + accurateCosine(lat1) * accurateCosine(lat2) * v * v;
  return 2 * EARTH_RADIUS_METRES * accurateArcSine(Math.sqrt(chord));
}

/** The distance in metres between two latitudes on one meridian. */
export function latitudeDistance(latitude1: number, latitude2: number): number {
  return EARTH_RADIUS_METRES * Math.abs(radians(latitude2) - radians(latitude1));
}

/** A distance as GEODIST and WITHDIST answer it: four decimals, a tie to the even one. */
export function formatGeoDistance(distance: number): Bytes {
  const scaled = distance * 10_000;
  const below = Math.floor(scaled);
  const rest = scaled - below;
  const rounded = rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
  return `${Math.floor(rounded / 10_000)}.${String(rounded % 10_000).padStart(4, '0')}`;
}

export function radians(degrees: number): number {
  return degrees * (Math.PI / 180);
}

export function degrees(radiansValue: number): number {
  return radiansValue / (Math.PI / 180);
}

/** Which of the 2^steps columns of equal width the value falls into. */
export function columnOf(value: number, min: number, max: number, steps: number): number {
  return Math.floor(((value - min) / (max - min)) * 2 ** steps);
}

/** The geohash of a cell: the bits of x and y in turns, x above y. Columns of up to 26 bits. */
export function interleave(x: number, y: number): number {
  const low = spread(y & 0xffff) + spread(x & 0xffff) * 2;
  const high = spread(y >>> 16) + spread(x >>> 16) * 2;
  return high * 2 ** 32 + low;
}

/** The inverse of `interleave`. */
export function deinterleave(hash: number): { x: number; y: number } {
  const low = hash >>> 0;
  const high = Math.floor(hash / 2 ** 32);
  return { x: gather(low >>> 1) + gather(high >>> 1) * 2 ** 16, y: gather(low) + gather(high) * 2 ** 16 };
}

function middleOf(column: number, min: number, max: number): number {
  const width = max - min;
  const from = min + (column / 2 ** GEO_MAX_STEPS) * width;
  const to = min + ((column + 1) / 2 ** GEO_MAX_STEPS) * width;
  return Math.min(Math.max((from + to) / 2, min), max);
}

/** Puts a 0 bit above each of 16 bits. */
function spread(bits: number): number {
  let spreadBits = bits;
  spreadBits = (spreadBits | (spreadBits << 8)) & 0x00ff00ff;
  spreadBits = (spreadBits | (spreadBits << 4)) & 0x0f0f0f0f;
  spreadBits = (spreadBits | (spreadBits << 2)) & 0x33333333;
  return (spreadBits | (spreadBits << 1)) & 0x55555555;
}

/** Takes every second of 32 bits, from the lowest on. */
function gather(bits: number): number {
  let gathered = bits & 0x55555555;
  gathered = (gathered | (gathered >>> 1)) & 0x33333333;
  gathered = (gathered | (gathered >>> 2)) & 0x0f0f0f0f;
  gathered = (gathered | (gathered >>> 4)) & 0x00ff00ff;
  return (gathered | (gathered >>> 8)) & 0xffff;
}
