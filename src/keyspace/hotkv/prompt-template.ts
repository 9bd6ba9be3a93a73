/** A prompt of the registry: every text that was put under its name, numbered from 1 on, and which of them is the active one. */
import type { Bytes } from '../../protocol/reply.js';

/** Estimated bytes of a template, and of a version beside its texts. */
const TEMPLATE_BYTES = 200;
const VERSION_BYTES = 120;

export interface PromptVersion {
  readonly number: number;
  readonly content: Bytes;
  /** What the writer noted about it, null when nothing was. */
  readonly metadata: Bytes | null;
  /** Unix ms. */
  readonly createdAt: number;
}

export class PromptTemplate {
  readonly versions: PromptVersion[] = [];
  private activeNumber: number | undefined;
  private textBytes = 0;

  /** Estimated bytes. */
  get bytes(): number {
    return TEMPLATE_BYTES + this.versions.length * VERSION_BYTES + this.textBytes;
  }

  /** Adds a version; gives its number. */
  put(content: Bytes, metadata: Bytes | null, now: number): number {
    const number = this.versions.length + 1;
    this.versions.push({ number, content, metadata, createdAt: now });
    this.textBytes += content.length + (metadata?.length ?? 0);
    return number;
  }

  version(number: number): PromptVersion | undefined {
    return this.versions[number - 1];
  }

  get latest(): PromptVersion | undefined {
    return this.versions.at(-1);
  }

  /** The version that was made active, else the latest. */
  get active(): PromptVersion | undefined {
    return this.activeNumber === undefined ? this.latest : this.version(this.activeNumber);
  }

  /** Makes a version the active one; false when there is no such version. */
  activate(number: number): boolean {
    if (this.version(number) === undefined) return false;
    this.activeNumber = number;
    return true;
  }
}
