import type { ResourceType } from './resource-types.ts';

/** A thing as groups see it: what is known of the properties by which a group of its type may choose. */
export interface GroupedResource {
  readonly type: ResourceType;
  /** By the name of the field. Of one property a thing may have several values: the folders around a project. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Its tags or labels by key. */
  readonly tags: ReadonlyMap<string, string>;
}
