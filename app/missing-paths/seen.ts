/** In characters. */
const LONGEST = 300

const PROGRAM =
  /bot|crawl|spider|slurp|fetch|scan|monitor|preview|headless|curl|wget|python|perl|ruby|java\/|okhttp|go-http|libwww|axios|node|http-?client|feed/i

/** Whether what asks says that it is a program, or says nothing as no browser does. */
export function isProgram(userAgent: string | undefined): boolean {
  return !userAgent || PROGRAM.test(userAgent)
}

const PERSONAL = [
  // An address of a person.
  /[^\s/@]+@[^\s/@]+\.[^\s/@]+/g,
  // What opens something: a token, an id.
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi,
  /(?=\w*\d)\w{24,}/g,
  // A telephone number.
  /\+?\d[\d-]{7,}\d/g,
]

/** A path without what could be about one person; nothing when it is longer than anyone would type. */
export function withoutPersons(path: string): string | undefined {
  if (path.length > LONGEST) return undefined
  return PERSONAL.reduce((text, personal) => text.replaceAll(personal, '…'), path)
}

/** Where a link stands: a path of ours, or the name of another site. */
export function readReferrer(referrer: string | undefined, site: string): string | null {
  const url = referrer === undefined ? null : URL.parse(referrer)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  return url.origin === site ? (withoutPersons(url.pathname) ?? null) : url.host.slice(0, LONGEST)
}
