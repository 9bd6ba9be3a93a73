/** Positions on their own, with facts recorded on Redis 8.2.3; `geo-oracle.test.ts` compares more. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  deinterleave,
  formatGeoDistance,
  geoDistance,
  geohashText,
  geoPoint,
  geoScore,
  interleave,
  isValidGeoPoint,
  MAX_LATITUDE,
} from '../../../src/keyspace/values/geo.js';
import { distanceWithin, type GeoShape, geoScoreRanges } from '../../../src/keyspace/values/geo-area.js';

const longitude = fc.double({ min: -180, max: 180, noNaN: true });
const latitude = fc.double({ min: -85, max: 85, noNaN: true });

describe('positions', () => {
  test('have the scores, coordinates and geohashes of Redis', () => {
    const score = geoScore(13.361389, 38.115556);
    expect(score).toBe(3479099956230698);
    expect(geoPoint(score)).toEqual({ longitude: 13.361389338970184, latitude: 38.1155563954963 });
    expect(geohashText(score)).toBe('sqc8b49rny0');
    expect(geohashText(geoScore(0, 0))).toBe('s0000000000');
  });

  test('are read back within a cell, wherever they are', () => {
    fc.assert(
      fc.property(longitude, latitude, (x, y) => {
        const point = geoPoint(geoScore(x, y));
        expect(Math.abs(point.longitude - x)).toBeLessThan(6e-6);
        expect(Math.abs(point.latitude - y)).toBeLessThan(3e-6);
      }),
    );
  });

  test('interleave any two 26-bit numbers and take them apart again', () => {
    const bits = fc.nat(2 ** 26 - 1);
    fc.assert(
      fc.property(bits, bits, (x, y) => {
        expect(deinterleave(interleave(x, y))).toEqual({ x, y });
      }),
    );
  });

  test('are refused near the poles and beyond the date line', () => {
    expect(isValidGeoPoint(180, MAX_LATITUDE)).toBe(true);
    expect(isValidGeoPoint(180.001, 0)).toBe(false);
    expect(isValidGeoPoint(0, 85.06)).toBe(false);
    expect(isValidGeoPoint(Number.NaN, 0)).toBe(false);
  });
});

describe('distances', () => {
  test('have four decimals, ties to the even one', () => {
    const [a, b] = [geoPoint(geoScore(13.361389, 38.115556)), geoPoint(geoScore(15.087269, 37.502669))];
    expect(formatGeoDistance(geoDistance(a.longitude, a.latitude, b.longitude, b.latitude))).toBe('166274.1516');
    expect(formatGeoDistance(0)).toBe('0.0000');
    expect(formatGeoDistance(9430881.33155)).toBe('9430881.3316');
    expect(formatGeoDistance(13071545.19105)).toBe('13071545.1910');
  });
});

describe('areas', () => {
  test('cover every point within them by a range of scores, once', () => {
    const size = fc.double({ min: 0, max: 5e6, noNaN: true });
    const offset = fc.double({ min: -40, max: 40, noNaN: true });
    const area = fc.record({
      x: longitude,
      y: fc.double({ min: -60, max: 60, noNaN: true }),
      width: size,
      height: size,
    });
    fc.assert(
      fc.property(area, offset, offset, fc.boolean(), ({ x, y, width, height }, dx, dy, circle) => {
        const centre = { longitude: x, latitude: y };
        const shape: GeoShape = circle
          ? { kind: 'circle', centre, radius: width }
          : { kind: 'box', centre, width, height };
        const score = geoScore(Math.min(Math.max(x + dx, -180), 180), Math.min(Math.max(y + dy, -85), 85));
        const point = geoPoint(score);
        if (distanceWithin(shape, point.longitude, point.latitude) === null) return;
        expect(geoScoreRanges(shape).filter(({ min, max }) => score >= min && score < max)).toHaveLength(1);
      }),
    );
  });
});
