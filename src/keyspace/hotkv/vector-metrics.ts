/**
 * Distances between stored vectors of 32-bit floats and given ones, whose numbers are 32-bit floats held as 64-bit ones so
 * that they are converted once. Sums are 64-bit; four run side by side, which the processor does at once.
 */

export const VECTOR_METRICS = ['cosine', 'l2', 'ip'] as const;
export type VectorMetric = (typeof VECTOR_METRICS)[number];

/** Other names of the metrics. */
export const METRIC_SYNONYMS: ReadonlyMap<string, VectorMetric> = new Map([
  ['euclidean', 'l2'],
  ['dot', 'ip'],
]);

/** The sum of the products of `dims` components from `at` on in `a`, and from 0 on in `b`. */
export function dotProduct(a: Float32Array, at: number, b: Float64Array, dims: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  const even = dims & ~3;
  for (let i = 0; i < even; i += 4) {
    s0 += a[at + i]! * b[i]!;
    s1 += a[at + i + 1]! * b[i + 1]!;
    s2 += a[at + i + 2]! * b[i + 2]!;
    s3 += a[at + i + 3]! * b[i + 3]!;
  }
  for (let i = even; i < dims; i++) s0 += a[at + i]! * b[i]!;
  return s0 + s1 + (s2 + s3);
}

/** The square of a vector's length, added up as `dotProduct` does, so that a vector is at no distance from itself. */
export function squaredLength(vector: Float64Array): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  const even = vector.length & ~3;
  for (let i = 0; i < even; i += 4) {
    s0 += vector[i]! * vector[i]!;
    s1 += vector[i + 1]! * vector[i + 1]!;
    s2 += vector[i + 2]! * vector[i + 2]!;
    s3 += vector[i + 3]! * vector[i + 3]!;
  }
  for (let i = even; i < vector.length; i++) s0 += vector[i]! * vector[i]!;
  return s0 + s1 + (s2 + s3);
}

/** The sum of the squared differences. */
export function squaredDistance(a: Float32Array, at: number, b: Float64Array, dims: number): number {
  let s0 = 0;
  let s1 = 0;
  const even = dims & ~1;
  for (let i = 0; i < even; i += 2) {
    const d0 = a[at + i]! - b[i]!;
    const d1 = a[at + i + 1]! - b[i + 1]!;
    s0 += d0 * d0;
    s1 += d1 * d1;
  }
  if (even < dims) s0 += (a[at + even]! - b[even]!) ** 2;
  return s0 + s1;
}
