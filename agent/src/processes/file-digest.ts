import { contentDigest } from '../host/content-digest.ts';
import { versionOf } from '../host/file-version.ts';
import { readingOf } from '../host/host-files.ts';
import { type ContentLimits, withRegularFile } from '../host/regular-file.ts';
import { type Reading, unreadable } from '../reading.ts';

/** The SHA-256 of a file that has the expected version, in hexadecimal. */
export async function fileDigest(
  place: string,
  expected: string,
  limits: ContentLimits,
): Promise<Reading<string>> {
  try {
    return await withRegularFile(place, place, async (file) => {
      // A process may have been replaced by another one, and the file by another one, since it was looked at.
      const isSame = versionOf(await file.stat({ bigint: true })) === expected;
      return isSame ? contentDigest(file, place, limits) : unreadable(`${place} has changed.`);
    });
  } catch (error) {
    return readingOf(place, error, 'processes');
  }
}
