/** Path below which the service is reached, from the page: empty, or such as `/security` behind a proxy. */
export const base = document.querySelector<HTMLMetaElement>('meta[name="vedette-base"]')?.content ?? '';
