/** XML cannot contain these characters, not even as a reference. */
const UNWRITABLE = /(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** A piece of finished XML: `xml` inserts it as it is, and escapes everything else. */
export class Xml {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Writes XML: xml`<title>${title}</title>`. A list is joined, and `undefined` inserts nothing. */
export function xml(parts: TemplateStringsArray, ...values: readonly (string | Xml | readonly Xml[] | undefined)[]): Xml {
  return new Xml(parts.map((part, index) => part + written(values[index])).join(''))
}

function written(value: string | Xml | readonly Xml[] | undefined): string {
  if (value === undefined) return ''
  if (value instanceof Xml) return value.text
  return typeof value === 'string' ? escapeXml(value) : value.map(({ text }) => text).join('')
}

/** For text and for attributes in either kind of quotes. */
function escapeXml(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** The text without the characters that XML cannot contain. */
export function printable(text: string): string {
  return text.replaceAll(UNWRITABLE, '').toWellFormed()
}
