/**
 * Which scores of a sorted set can lie in a circle or a box, and which of them do: what GEOSEARCH and GEORADIUS need.
 *
 * The area is covered by the cell of a coarser geohash around its centre and the eight cells beside it; each cell is
 * one range of scores. The order of the cells is the order in which Redis finds members when none is asked for.
 */

import {
  columnOf,
  degrees,
  EARTH_RADIUS_METRES,
  GEO_MAX_STEPS,
  type GeoPoint,
  geoDistance,
  interleave,
  latitudeDistance,
  MAX_LATITUDE,
  MAX_LONGITUDE,
  MIN_LATITUDE,
  MIN_LONGITUDE,
  radians,
} from './geo.js';

/** A circle or a box around a centre, in metres. */
export type GeoShape =
  | { readonly kind: 'circle'; readonly centre: GeoPoint; readonly radius: number }
  | { readonly kind: 'box'; readonly centre: GeoPoint; readonly width: number; readonly height: number };

/** Scores from `min` up to but not including `max`. */
export interface ScoreRange {
  readonly min: number;
  readonly max: number;
}

/** The ranges of scores that hold everything in the shape, and more; in Redis' order, without repetition. */
export function geoScoreRanges(shape: GeoShape): ScoreRange[] {
  const box = boundingBox(shape);
  let cell = cellAround(shape.centre, stepsFor(shape));
  if (cell.steps > 1 && !neighboursCover(cell, box)) cell = cellAround(shape.centre, cell.steps - 1);

  const ranges: ScoreRange[] = [];
  for (const [dx, dy] of CELLS) {
    if (cell.steps >= 2 && isBeyond(cell, box, dx, dy)) continue;
    const range = scoreRange(cell, dx, dy);
    // Around the whole earth, cells meet themselves again on the other side.
    if (ranges.length > 0 && ranges[ranges.length - 1]?.min === range.min) continue;
    ranges.push(range);
  }
  return ranges;
}

/** The distance in metres from the centre of the shape to a point in it; null for a point outside. */
export function distanceWithin(shape: GeoShape, longitude: number, latitude: number): number | null {
  const { centre } = shape;
  if (shape.kind === 'box') {
    if (latitudeDistance(latitude, centre.latitude) > shape.height / 2) return null;
    if (geoDistance(longitude, latitude, centre.longitude, latitude) > shape.width / 2) return null;
  }
  const distance = geoDistance(centre.longitude, centre.latitude, longitude, latitude);
  return shape.kind === 'circle' && distance > shape.radius ? null : distance;
}

/** The centre, then north, south, east, west, and the corners north-east, north-west, south-east, south-west. */
const CELLS: readonly (readonly [dx: number, dy: number])[] = [
  [0, 0],
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
  [1, 1],
  [-1, 1],
  [1, -1],
  [-1, -1],
];

/** A cell of 2^steps columns and rows. */
interface Cell {
  readonly x: number;
  readonly y: number;
  readonly steps: number;
}

interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

function cellAround(centre: GeoPoint, steps: number): Cell {
  return {
    x: columnOf(centre.longitude, MIN_LONGITUDE, MAX_LONGITUDE, steps),
    y: columnOf(centre.latitude, MIN_LATITUDE, MAX_LATITUDE, steps),
    steps,
  };
}

/** The bounds of the shape in degrees. Its width is measured at the edge that is nearer to a pole. */
function boundingBox(shape: GeoShape): Bounds {
  const { longitude, latitude } = shape.centre;
  const halfHeight = shape.kind === 'circle' ? shape.radius : shape.height / 2;
  const halfWidth = shape.kind === 'circle' ? shape.radius : shape.width / 2;
  const dLatitude = degrees(halfHeight / EARTH_RADIUS_METRES);
  const widest = latitude < 0 ? latitude - dLatitude : latitude + dLatitude;
  const dLongitude = degrees(halfWidth / EARTH_RADIUS_METRES / Math.cos(radians(widest)));
  return {
    west: longitude - dLongitude,
    south: latitude - dLatitude,
    east: longitude + dLongitude,
    north: latitude + dLatitude,
  };
}

/** The finest steps at which a cell and its neighbours are sure to cover the shape, nearly. */
function stepsFor(shape: GeoShape): number {
  const radius = shape.kind === 'circle' ? shape.radius : Math.sqrt((shape.width / 2) ** 2 + (shape.height / 2) ** 2);
  if (radius === 0) return GEO_MAX_STEPS;
  let steps = 1;
  for (let reach = radius; reach < HALF_MAP_METRES; reach *= 2) steps++;
  // Two coarser, so that the circle stays within the neighbours from anywhere in the cell.
  steps -= 2;
  const latitude = Math.abs(shape.centre.latitude);
  if (latitude > 66) steps--;
  if (latitude > 80) steps--;
  return Math.min(Math.max(steps, 1), GEO_MAX_STEPS);
}

/** Half the side of the square web map. */
const HALF_MAP_METRES = 20037726.37;

/** Whether the cells beside this one reach beyond the bounds on all four sides. */
function neighboursCover(cell: Cell, box: Bounds): boolean {
  return (
    boundsOf(cell, 0, 1).north >= box.north &&
    boundsOf(cell, 0, -1).south <= box.south &&
    boundsOf(cell, 1, 0).east >= box.east &&
    boundsOf(cell, -1, 0).west <= box.west
  );
}

/** Whether the cell itself covers the side of the box on which the neighbour lies. */
function isBeyond(cell: Cell, box: Bounds, dx: number, dy: number): boolean {
  const own = boundsOf(cell, 0, 0);
  return (
    (dy < 0 && own.south < box.south) ||
    (dy > 0 && own.north > box.north) ||
    (dx < 0 && own.west < box.west) ||
    (dx > 0 && own.east > box.east)
  );
}

function boundsOf(cell: Cell, dx: number, dy: number): Bounds {
  const { x, y } = neighbour(cell, dx, dy);
  const count = 2 ** cell.steps;
  const width = MAX_LONGITUDE - MIN_LONGITUDE;
  const height = MAX_LATITUDE - MIN_LATITUDE;
  return {
    west: MIN_LONGITUDE + (x / count) * width,
    east: MIN_LONGITUDE + ((x + 1) / count) * width,
    south: MIN_LATITUDE + (y / count) * height,
    north: MIN_LATITUDE + ((y + 1) / count) * height,
  };
}

function scoreRange(cell: Cell, dx: number, dy: number): ScoreRange {
  const { x, y } = neighbour(cell, dx, dy);
  const hash = interleave(x, y);
  const width = 4 ** (GEO_MAX_STEPS - cell.steps);
  return { min: hash * width, max: (hash + 1) * width };
}

/**
 * The cell so many columns east and rows north; the map wraps round in both directions. A centre on the very edge of
 * the map is in a column or row beyond the last, and stays there unless it moves.
 */
function neighbour(cell: Cell, dx: number, dy: number): { x: number; y: number } {
  const count = 2 ** cell.steps;
  return {
    x: dx === 0 ? cell.x : (cell.x + dx + count) % count,
    y: dy === 0 ? cell.y : (cell.y + dy + count) % count,
  };
}
