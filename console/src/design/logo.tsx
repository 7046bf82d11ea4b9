/** A watchtower, as in the icon of the site. */
export function Logo({ size = 24 }: { readonly size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32">
      <rect width="32" height="32" rx="6" fill="#0b57c2" />
      <path d="M8 6h3v3h3.500V6h3v3H21V6h3v7l-3 3v10h-3v-5a2 2 0 0 0-4 0v5h-3V16l-3-3z" fill="#fff" />
    </svg>
  );
}
