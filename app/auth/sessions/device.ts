/** Tested in this order: newer browsers also name the older ones in their user agent. */
const browsers: [name: string, sign: RegExp][] = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\/|Opera/],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Version\/.+Safari\//],
]

const systems: [name: string, sign: RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['ChromeOS', /CrOS/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh|Mac OS X/],
  ['Linux', /Linux|X11/],
]

const LONGEST = 40

/** A readable name for a `User-Agent`: `Firefox on Windows`. A program gets the name that it gives itself. */
export function deviceOf(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const known = browserOf(userAgent)
  if (known) return known
  const [name = ''] = userAgent.split(/[\s/(;]/, 1)
  return /^[\w.-]+$/.test(name) ? name.slice(0, LONGEST) : 'Unknown device'
}

/** The same for known browsers only: an attacker could otherwise put a text of their own into an email to a stranger. */
export function browserOf(userAgent: string | undefined): string | undefined {
  if (!userAgent) return undefined
  const [browser, system] = [nameIn(browsers, userAgent), nameIn(systems, userAgent)]
  if (browser) return system ? `${browser} on ${system}` : browser
  return system && `A browser on ${system}`
}

function nameIn(list: [name: string, sign: RegExp][], userAgent: string): string | undefined {
  return list.find(([, sign]) => sign.test(userAgent))?.[0]
}
