/** Positions, distances and searches on Redis and here: the same scores, texts and members, in the same order. */
import { expect, test } from 'vitest';
import {
  formatGeoDistance,
  GEO_UNITS,
  geoDistance,
  geohashText,
  geoPoint,
  geoScore,
} from '../../../src/keyspace/values/geo.js';
import { distanceWithin, type GeoShape, geoScoreRanges } from '../../../src/keyspace/values/geo-area.js';
import { describeWith } from '../../support/describe-with.js';
import { startOracleClient } from '../../support/oracle-client.js';
import type { RawClient } from '../../support/resp-client.js';
import { type Frame, itemsOf, textOf } from '../../support/resp-frame.js';

interface Member {
  readonly name: string;
  readonly score: number;
}

describeWith('positions beside Redis', ['redis-8.2.3'], () => {
  const redis = startOracleClient('redis-8.2.3');

  test('scores, coordinates, geohashes and distances', async () => {
    const random = generator(1);
    const points = [...EDGES, ...Array.from({ length: 500 }, () => anywhere(random))];
    await redis.client.call('DEL', 'g');
    for (let i = 0; i < points.length; i++) {
      const [longitude, latitude] = points[i] as [number, number];
      const name = `p${i}`;
      await redis.client.call('GEOADD', 'g', String(longitude), String(latitude), name);
      const score = geoScore(longitude, latitude);
      const context = `${longitude} ${latitude}`;
      expect(String(score), context).toBe(textOf(await redis.client.call('ZSCORE', 'g', name)));
      const [position] = itemsOf(await redis.client.call('GEOPOS', 'g', name));
      const { longitude: x, latitude: y } = geoPoint(score);
      expect([x, y], context).toEqual(itemsOf(position).map((frame) => Number(textOf(frame))));
      expect(geohashText(score), context).toBe(textOf(itemsOf(await redis.client.call('GEOHASH', 'g', name))[0]));
    }
    const places = points.map(([longitude, latitude]) => geoPoint(geoScore(longitude, latitude)));
    for (let i = 0; i < 2000; i++) {
      const [a, b] = [Math.floor(random() * places.length), Math.floor(random() * places.length)];
      const unit = ['m', 'km', 'ft', 'mi'][i % 4] as string;
      const [from, to] = [places[a]!, places[b]!];
      const metres = geoDistance(from.longitude, from.latitude, to.longitude, to.latitude);
      const theirs = textOf(await redis.client.call('GEODIST', 'g', `p${a}`, `p${b}`, unit));
      expect(formatGeoDistance(metres / GEO_UNITS.get(unit)!), `p${a} p${b} ${unit}`).toBe(theirs);
    }
  });

  test('searches, unsorted', { timeout: 60_000 }, async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = generator(seed);
      const near = anywhere(random);
      const spread = [170, 20, 1, 0.01][seed % 4] as number;
      const members = await fill(redis.client, random, near, spread);
      for (let i = 0; i < 60; i++) {
        const centre = i % 5 === 0 ? (EDGES[i % EDGES.length] as [number, number]) : around(random, near, spread);
        const shape = anyShape(random, centre, spread * 111_000);
        const theirs = await redis.client.call('GEOSEARCH', 'g', ...searchArguments(shape), 'WITHDIST');
        const found = itemsOf(theirs).map((frame: Frame) => itemsOf(frame).map(textOf));
        expect(search(shape, members), `seed ${seed}, ${JSON.stringify(shape)}`).toEqual(found);
      }
    }
  });
});

const EDGES: readonly [number, number][] = [
  [0, 0],
  [180, 85.05112878],
  [-180, -85.05112878],
  [180, 0],
  [-180, 85.05112878],
  [179.9999999, -85.05112877],
  [0, 85],
  [-0.0000001, 0.0000001],
  [13.361389, 38.115556],
];

async function fill(
  client: RawClient,
  random: () => number,
  near: [number, number],
  spread: number,
): Promise<Member[]> {
  await client.call('DEL', 'g');
  const members: Member[] = [];
  for (let i = 0; i < 400; i++) {
    const [longitude, latitude] = i < EDGES.length ? (EDGES[i] as [number, number]) : around(random, near, spread);
    const name = `p${String(i).padStart(3, '0')}`;
    client.send(['GEOADD', 'g', String(longitude), String(latitude), name]);
    await client.read();
    members.push({ name, score: geoScore(longitude, latitude) });
  }
  return members.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
}

function search(shape: GeoShape, members: readonly Member[]): string[][] {
  const found: string[][] = [];
  for (const { min, max } of geoScoreRanges(shape)) {
    for (const { name, score } of members) {
      if (score < min || score >= max) continue;
      const { longitude, latitude } = geoPoint(score);
      const distance = distanceWithin(shape, longitude, latitude);
      if (distance !== null) found.push([name, formatGeoDistance(distance)]);
    }
  }
  return found;
}

function searchArguments(shape: GeoShape): string[] {
  const from = ['FROMLONLAT', String(shape.centre.longitude), String(shape.centre.latitude)];
  if (shape.kind === 'circle') return [...from, 'BYRADIUS', String(shape.radius), 'm'];
  return [...from, 'BYBOX', String(shape.width), String(shape.height), 'm'];
}

function anyShape(random: () => number, [longitude, latitude]: [number, number], metres: number): GeoShape {
  const centre = { longitude, latitude };
  const size = () => Math.min(random() ** 3 * metres * 4, 3e7);
  if (random() < 0.5) return { kind: 'circle', centre, radius: random() < 0.05 ? 0 : size() };
  return { kind: 'box', centre, width: size(), height: size() };
}

function anywhere(random: () => number): [number, number] {
  return [random() * 360 - 180, (random() * 2 - 1) * 85];
}

function around(random: () => number, [longitude, latitude]: [number, number], spread: number): [number, number] {
  const x = longitude + (random() * 2 - 1) * spread;
  const y = latitude + (random() * 2 - 1) * spread;
  return [((x + 540) % 360) - 180, Math.min(Math.max(y, -85), 85)];
}

/** Pseudo-random numbers in [0, 1) that depend on the seed alone (a linear congruential generator). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
