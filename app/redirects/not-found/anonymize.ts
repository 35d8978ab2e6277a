/** In characters. */
const LONGEST = 300

const PROGRAM =
  /bot|crawl|spider|slurp|fetch|scan|monitor|preview|headless|curl|wget|python|perl|ruby|java\/|okhttp|go-http|libwww|axios|node|http-?client|feed/i

/** Whether a user agent names a program, or is missing, which no browser's is. */
export function isProgram(userAgent: string | undefined): boolean {
  return !userAgent || PROGRAM.test(userAgent)
}

const PERSONAL = [
  // An email address.
  /[^\s/@]+@[^\s/@]+\.[^\s/@]+/g,
  // A secret or an id: a token, a UUID.
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi,
  /(?=\w*\d)\w{24,}/g,
  // A telephone number.
  /\+?\d[\d-]{7,}\d/g,
]

/** Removes personal data from a path; `undefined` when the path is longer than anyone would type. */
export function withoutPersonalData(path: string): string | undefined {
  if (path.length > LONGEST) return undefined
  return PERSONAL.reduce((text, personal) => text.replaceAll(personal, '…'), path)
}

/** The page of a link: our own path, or the host of another site. */
export function readReferrer(referrer: string | undefined, site: string): string | null {
  const url = referrer === undefined ? null : URL.parse(referrer)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  return url.origin === site ? (withoutPersonalData(url.pathname) ?? null) : url.host.slice(0, LONGEST)
}
