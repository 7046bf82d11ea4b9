/** Favicon: a watchtower. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0b57c2"/><path d="M8 6h3v3h3.500V6h3v3H21V6h3v7l-3 3v10h-3v-5a2 2 0 0 0-4 0v5h-3V16l-3-3z" fill="#fff"/></svg>
`;
