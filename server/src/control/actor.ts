/** Who does something, to whose data, and what it is called in the audit log. */
export interface Actor {
  readonly userName: string;
  /** The account or the organization whose audit log gets the entry. */
  readonly ownerId: string;
  readonly accountName: string;
  /** For example `API Key Created`: the resource and what happened to it. */
  readonly act: string;
}
