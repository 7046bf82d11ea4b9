/** The packs that ship with this server: beside `server/`, in the repository as in the image. */
export const shippedPacks = (): URL => new URL('../../../../packs/', import.meta.url);
