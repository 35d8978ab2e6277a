/** Comma-separated values; one with a comma is quoted, with its own quotation marks doubled: `a,"b, c"`. */
export function splitList(text: string): string[] {
  const parts = `,${text}`.matchAll(/,(?:"((?:[^"]|"")*)"(?=,|$)|([^,]*))/g)
  return [...parts].map(([, inQuotes, plain = '']) => inQuotes?.replaceAll('""', '"') ?? plain)
}
