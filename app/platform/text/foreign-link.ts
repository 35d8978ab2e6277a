const KINDS = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/** A link of a stranger's text as it may be shown. Relative ones are none: they would lead into our own site. */
export function foreignLink(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined
  const [plain, url] = [address.trim(), URL.parse(address.trim())]
  if (!url || !KINDS.has(url.protocol)) return undefined
  // Browsers read `https:/path` as a path of this site; the parser without a base makes an address of it.
  return /^(https?:\/\/|mailto:|tel:)\S+$/i.test(plain) ? plain : url.href
}
