/** The names of users by their ids. */
export type ReadUserNames = () => Promise<ReadonlyMap<number, string>>;

/** A user without a name has its number, as in `ps`. */
export function userName(names: ReadonlyMap<number, string>, uid: number): string {
  return names.get(uid) ?? String(uid);
}
