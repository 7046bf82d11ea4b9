type Members = Readonly<Record<string, unknown>>;

/** Replaces members. */
export const set = (members: Members) => (value: Members) => ({ ...value, ...members });

/** Replaces members of the object at a path, such as `resource.data`. */
export function within(path: string, members: Members | ((value: never) => unknown)) {
  const names = path.split('.');
  const changed = (value: unknown, at: number): unknown => {
    const object = Object(value) as Members;
    const name = names[at];
    if (name === undefined)
      return typeof members === 'function' ? members(value as never) : { ...object, ...members };
    return { ...object, [name]: changed(object[name], at + 1) };
  };
  return (value: Members) => changed(value, 0);
}

/** Members of an Azure resource, and of a Google Cloud asset. */
export const properties = (members: Members) => within('properties', members);
export const data = (members: Members, path = '') =>
  within(path ? `resource.data.${path}` : 'resource.data', members);

/** Appends to an array. */
export const append =
  (...elements: readonly unknown[]) =>
  (value: readonly unknown[] = []) => [...value, ...elements];

export const removed = () => undefined;
