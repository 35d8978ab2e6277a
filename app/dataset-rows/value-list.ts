/** Texts with commas between them; one that holds commas itself stands in quotation marks, doubled where they belong to it: `a,"b, c"`. */
export function splitList(text: string): string[] {
  const parts = `,${text}`.matchAll(/,(?:"((?:[^"]|"")*)"(?=,|$)|([^,]*))/g)
  return [...parts].map(([, inQuotes, plain = '']) => inQuotes?.replaceAll('""', '"') ?? plain)
}
