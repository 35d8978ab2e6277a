/** The currencies that a business can have: each has cents. */
export const currencies = {
  USD: 'US dollars',
  EUR: 'euros',
  GBP: 'pounds sterling',
  CAD: 'Canadian dollars',
  AUD: 'Australian dollars',
  NZD: 'New Zealand dollars',
  CHF: 'Swiss francs',
  SEK: 'Swedish kronor',
  NOK: 'Norwegian kroner',
  DKK: 'Danish kroner',
  PLN: 'Polish zloty',
  SGD: 'Singapore dollars',
  INR: 'Indian rupees',
  BRL: 'Brazilian reals',
  MXN: 'Mexican pesos',
  ZAR: 'South African rand',
} as const

type Currency = keyof typeof currencies

/** How this installation writes money and dates. `en` has the month first, `en-GB` the day. */
export type WrittenForm = { currency: Currency; locale: 'en' | 'en-GB' }

const usual: WrittenForm = { currency: 'USD', locale: 'en' }
let fromSettings = () => usual

/** The server reads it from the settings. */
export function setWrittenForm(read: () => WrittenForm): void {
  fromSettings = read
}

/** In a browser it is that of the document, which a public page has without any settings. */
export function writtenForm(): WrittenForm {
  if (typeof document === 'undefined') return fromSettings()
  const { lang, dataset } = document.documentElement
  const { currency = '' } = dataset
  return { locale: lang === 'en-GB' ? lang : 'en', currency: isCurrency(currency) ? currency : usual.currency }
}

let taxFromSettings = () => false

/** The server reads it from the settings. */
export function setTaxAdded(read: () => boolean): void {
  taxFromSettings = read
}

/** Whether tax is added to the prices of the catalog. In a browser, the document says it. */
export function hasTaxAdded(): boolean {
  return typeof document === 'undefined' ? taxFromSettings() : document.documentElement.dataset['plusTax'] !== undefined
}

/** A format that follows the settings. Each is made once, at its first use. */
export function writtenBy<Format>(make: (form: WrittenForm) => Format): () => Format {
  const made = new Map<string, Format>()
  return () => {
    const form = writtenForm()
    const key = `${form.locale} ${form.currency}`
    const format = made.get(key) ?? make(form)
    made.set(key, format)
    return format
  }
}

/** A format of dates that follows the settings. */
export function dateFormat(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  return writtenBy(({ locale }) => new Intl.DateTimeFormat(locale, options))
}

export function isCurrency(text: string): text is Currency {
  return Object.hasOwn(currencies, text)
}
