const prefix = 'service:';

/** The service that a policy is about, from its tags; undefined if no tag names one. */
export function serviceOfTags(tags: readonly string[]): string | undefined {
  return tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length);
}
