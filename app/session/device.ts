/** Asked in this order: each browser also says the names of those that came before it. */
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

/** How people call the device behind a `User-Agent`: `Firefox on Windows`. A program is called what it calls itself. */
export function deviceOf(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const [browser, system] = [nameIn(browsers, userAgent), nameIn(systems, userAgent)]
  if (browser) return system ? `${browser} on ${system}` : browser
  if (system) return `A browser on ${system}`
  const [name = ''] = userAgent.split(/[\s/(;]/, 1)
  return /^[\w.-]+$/.test(name) ? name.slice(0, LONGEST) : 'Unknown device'
}

function nameIn(list: [name: string, sign: RegExp][], userAgent: string): string | undefined {
  return list.find(([, sign]) => sign.test(userAgent))?.[0]
}
