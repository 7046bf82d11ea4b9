/** The user behind a change, the owner of the changed data, and the name of the action in the audit log. */
export interface Actor {
  readonly userName: string;
  /** Account or organization whose audit log gets the entry. */
  readonly ownerId: string;
  readonly accountName: string;
  /** Resource and action, for example `API Key Created`. */
  readonly act: string;
}
