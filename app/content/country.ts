/** Common names that are missing in the runtime's lists, in the spelling of `plain`. */
const aliases: Record<string, string> = {
  usa: 'US',
  us: 'US',
  'u s': 'US',
  'u s a': 'US',
  america: 'US',
  'united states of america': 'US',
  'the united states': 'US',
  'the united states of america': 'US',
  uk: 'GB',
  'u k': 'GB',
  gbr: 'GB',
  'great britain': 'GB',
  britain: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  'the united kingdom': 'GB',
  'the netherlands': 'NL',
  holland: 'NL',
  'republic of ireland': 'IE',
  eire: 'IE',
  korea: 'KR',
  'republic of korea': 'KR',
  uae: 'AE',
  'u a e': 'AE',
  emirates: 'AE',
  brd: 'DE',
  'czech republic': 'CZ',
  turkey: 'TR',
  russia: 'RU',
  'russian federation': 'RU',
  vietnam: 'VN',
  'viet nam': 'VN',
  'ivory coast': 'CI',
  'hong kong': 'HK',
  macau: 'MO',
  taiwan: 'TW',
  palestine: 'PS',
  burma: 'MM',
  swaziland: 'SZ',
  macedonia: 'MK',
  bosnia: 'BA',
  'cape verde': 'CV',
  'peoples republic of china': 'CN',
  prc: 'CN',
  'south corea': 'KR',
  ksa: 'SA',
  nz: 'NZ',
}

const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'sv',
  'da',
  'nb',
  'fi',
  'pl',
  'cs',
  'tr',
  'ru',
  'uk',
  'ja',
  'ko',
  'zh',
  'ar',
  'hi',
]
/** Codes that are not countries: former ones, groups, and reserved ones. */
const NOT_A_COUNTRY = new Set(
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH NT QO QU RH SU TA TP UK UN VD XA XB XK YD YU ZR ZZ'.split(' '),
)

let codes: Map<string, string> | undefined
let named: readonly (readonly [code: string, name: string])[] | undefined

/** The ISO 3166 code of a typed country, in English or its neighbours' languages; `undefined` when it is unknown. */
export function countryCodeOf(typed: string): string | undefined {
  codes ??= readCodes()
  return codes.get(plain(typed))
}

/** Every country's code and English name, by name. */
export function countryNames(): readonly (readonly [code: string, name: string])[] {
  const names = namesIn('en')
  return (named ??= regionCodes()
    .map((code) => [code, names.of(code) ?? code] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, 'en')))
}

/** The names come with the runtime; the first language with a name wins. */
function readCodes(): Map<string, string> {
  const found = new Map(Object.entries(aliases))
  const keep = (name: string, code: string) => found.has(name) || found.set(name, code)
  const countryCodes = regionCodes()
  for (const language of LANGUAGES) {
    const names = namesIn(language)
    for (const code of countryCodes) keep(plain(names.of(code) ?? ''), code)
  }
  for (const code of countryCodes) keep(code.toLowerCase(), code)
  found.delete('')
  return found
}

function regionCodes(): string[] {
  const alphabet = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  const names = namesIn('en')
  return alphabet
    .flatMap((first) => alphabet.map((second) => first + second))
    .filter((code) => names.of(code) !== undefined && !NOT_A_COUNTRY.has(code))
}

function namesIn(language: string): Intl.DisplayNames {
  return new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
}

/** Without case, accents and punctuation. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
