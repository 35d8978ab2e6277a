import { strFromU8, unzipSync } from 'fflate'

const marks: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/** The cells of an Excel workbook, row by row, each with its kind: `text`, `number`, `day`, `moment`, `truth` or `empty`. */
export function readSheet(file: Uint8Array): { kind: string; text: string }[][] {
  const sheet = strFromU8(unzipSync(file)['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  if (sheet.includes('<f')) throw new Error('The sheet has a formula.')
  return [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)].map(([, attributes = '', content = '']) => {
      const text = content.replaceAll(/<[^>]*>/g, '').replaceAll(/&(?:amp|lt|gt);/g, (mark) => marks[mark] ?? mark)
      return {
        kind: kindOf(attributes, content),
        text: text.replaceAll(/_x([\dA-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
      }
    }),
  )
}

function kindOf(attributes: string, content: string): string {
  if (content === '') return 'empty'
  if (attributes.includes('t="inlineStr"')) return 'text'
  if (attributes.includes('t="b"')) return 'truth'
  if (attributes.includes('s="1"')) return 'day'
  return attributes.includes('s="2"') ? 'moment' : 'number'
}
