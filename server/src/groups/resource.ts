import type { ResourceType } from './resource-types.ts';

/** The known field values of a resource, by which groups select it. */
export interface GroupedResource {
  readonly type: ResourceType;
  /** By field name. A field may have several values, such as the ancestor folders of a project. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Its tags or labels by key. */
  readonly tags: ReadonlyMap<string, string>;
}
