// The cookie that holds a theme.

/** As the server sets it. A browser takes it from itself on this machine, but from a test only with a secure address. */
export function themeCookie(theme: 'dark' | 'light', address: string) {
  return { name: '__Host-theme', value: theme, secure: true, url: new URL('/', address).href.replace(/^http:/, 'https:') };
}
