/** A group of the feature store: a schema, and for each entity the values that were set and when. */
import type { Bytes } from '../../protocol/reply.js';

export const FEATURE_TYPES = ['int64', 'double', 'string', 'int_array', 'double_array'] as const;
export type FeatureType = (typeof FEATURE_TYPES)[number];

/** Estimated bytes of a group, and of an entity without its values. */
const GROUP_BYTES = 400;
const ENTITY_BYTES = 250;
const VALUE_BYTES = 60;

export interface FeatureEntity {
  readonly values: Map<Bytes, Bytes>;
  /** Unix ms. */
  updatedAt: number;
}

export class FeatureGroup {
  readonly entities = new Map<Bytes, FeatureEntity>();
  reads = 0;
  writes = 0;
  private valueBytes = 0;

  constructor(
    readonly description: Bytes,
    /** Types by feature, in the order of the schema. */
    readonly schema: ReadonlyMap<Bytes, FeatureType>,
  ) {}

  /** Estimated bytes. */
  get bytes(): number {
    return GROUP_BYTES + this.entities.size * ENTITY_BYTES + this.valueBytes;
  }

  /** Sets values of an entity and when it was updated. The names are those of the schema. */
  set(entity: Bytes, values: readonly (readonly [name: Bytes, value: Bytes])[], updatedAt: number): void {
    const found = this.entities.get(entity) ?? { values: new Map<Bytes, Bytes>(), updatedAt };
    for (const [name, value] of values) {
      const old = found.values.get(name);
      this.valueBytes += value.length - (old === undefined ? -VALUE_BYTES : old.length);
      found.values.set(name, value);
    }
    found.updatedAt = updatedAt;
    this.entities.set(entity, found);
    this.writes++;
  }

  /** An entity for a reader, undefined when there is none. */
  read(entity: Bytes): FeatureEntity | undefined {
    this.reads++;
    return this.entities.get(entity);
  }
}
