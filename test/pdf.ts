import { inflateSync } from 'node:zlib'

/** The compressed parts of a document, in plain text. */
export function streamsOf(pdf: Buffer): string[] {
  return [...pdf.toString('latin1').matchAll(/FlateDecode\n>>\nstream\n([^]*?)\nendstream/g)].map(([, stream = '']) =>
    inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'),
  )
}

/** All letters that a reader can copy out of a document, as its fonts name them. */
export function lettersIn(pdf: Buffer): string {
  const maps = streamsOf(pdf).filter((stream) => stream.includes('begincmap'))
  const codes = maps.flatMap((map) => map.slice(map.indexOf('beginbf')).match(/[\da-f]{4}/gi) ?? [])
  return codes.map((code) => String.fromCharCode(Number.parseInt(code, 16))).join('')
}
