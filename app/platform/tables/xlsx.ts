import { strToU8, Zip, ZipDeflate } from 'fflate'

/** The rows of an Excel sheet below its head. */
export const MOST_XLSX_ROWS = 1_048_575
/** Excel refuses a workbook with a longer text. */
const MOST_CELL_TEXT = 32_767
/** Sizes beyond four gigabytes need another kind of ZIP file. */
const MOST_BYTES = 4_000_000_000
const CHUNK = 256 * 1024
const DAY_MS = 86_400_000
/** Days are counted from here. Earlier dates, and those before Excel's missing leap day, stay text. */
const DAY_ZERO = Date.UTC(1899, 11, 30)
const FIRST_DAY = Date.UTC(1900, 2, 1)
const AFTER_LAST_DAY = Date.UTC(10_000, 0, 1)

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A day, or a moment in UTC, as a number that Excel shows as one. */
export type SheetDate = { date: string; hasTime: boolean }
/** A text stays a text, whatever it begins with: no cell of a sheet is a formula. */
export type SheetCell = string | number | boolean | SheetDate | null

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const PART = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts of a workbook with one sheet. Its two styles are a day and a moment; a third one is for the head. */
const parts = {
  '[Content_Types].xml': `<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${PART}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${PART}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${PART}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': styles(),
}

/** Readers such as openpyxl refuse a fill without a pattern. Excel keeps the first two fills for itself. */
function styles(): string {
  const xf = (more: string) => `<xf fontId="0" fillId="0" borderId="0" xfId="0" ${more}/>`
  return [
    `<styleSheet xmlns="${SHEETS}">`,
    '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>',
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="4">${xf('numFmtId="0"')}${xf('numFmtId="164" applyNumberFormat="1"')}${xf('numFmtId="165" applyNumberFormat="1"')}`,
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>',
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('')
}

type SheetRows = AsyncIterable<readonly SheetCell[]> | Iterable<readonly SheetCell[]>

/** A workbook in pieces, written while its rows arrive: memory holds a piece of it. The server and the browser write it. */
export async function* writeXlsx(head: readonly string[], rows: SheetRows): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const ready: Uint8Array<ArrayBuffer>[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    ready.push(bytes)
  })
  const add = (name: string) => {
    const part = new ZipDeflate(name, { level: 6 })
    zip.add(part)
    return part
  }
  for (const [name, text] of Object.entries(parts)) add(name).push(strToU8(XML + text), true)
  const sheet = add('xl/worksheets/sheet1.xml')
  let bytes = 0
  const push = (text: string, isLast = false) => {
    const written = strToU8(text)
    bytes += written.length
    if (bytes > MOST_BYTES) throw new Error('The rows are too long for an Excel file. Export CSV.')
    sheet.push(written, isLast)
  }
  const headRow = head.map((text) => textCell(text, ' s="3"')).join('')
  let text = `${XML}<worksheet xmlns="${SHEETS}"><sheetData><row>${headRow}</row>`
  for await (const row of limited(rows)) {
    text += `<row>${row.map(cell).join('')}</row>`
    if (text.length < CHUNK) continue
    push(text)
    text = ''
    yield* ready.splice(0)
  }
  push(`${text}</sheetData></worksheet>`, true)
  zip.end()
  yield* ready
}

const FULL = 'An Excel sheet has no room for more rows. Export CSV to get all of them.'

/** The rows that a sheet has room for. In the place of the last one, a sentence says that more are missing. */
async function* limited(rows: SheetRows): AsyncGenerator<readonly SheetCell[]> {
  let count = 0
  let last: readonly SheetCell[] | undefined
  for await (const row of rows) {
    count += 1
    if (count < MOST_XLSX_ROWS) yield row
    else if (count === MOST_XLSX_ROWS) last = row
    else return yield [FULL]
  }
  if (last) yield last
}

function cell(value: SheetCell): string {
  if (value === null || value === '') return '<c/>'
  if (typeof value === 'string') return textCell(value)
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  if (typeof value === 'number') return Number.isFinite(value) ? `<c><v>${value}</v></c>` : textCell(String(value))
  const ms = Date.parse(value.date)
  const isShown = ms >= FIRST_DAY && ms < AFTER_LAST_DAY
  return isShown ? `<c s="${value.hasTime ? 2 : 1}"><v>${(ms - DAY_ZERO) / DAY_MS}</v></c>` : textCell(value.date)
}

function textCell(text: string, style = ''): string {
  const whole = text.length > MOST_CELL_TEXT ? `${text.slice(0, MOST_CELL_TEXT - 1)}…` : text
  return `<c t="inlineStr"${style}><is><t xml:space="preserve">${escaped(whole.toWellFormed())}</t></is></c>`
}

/** Signs that XML cannot hold are written as Excel writes them, and so is a text that looks like one of these. */
const UNWRITABLE = /[^\t\n -\uFFFD]|_(?=x[\dA-Fa-f]{4}_)/g
const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escaped(text: string): string {
  return text
    .replaceAll(UNWRITABLE, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll(/[&<>]/g, (sign) => SIGNS[sign] ?? sign)
}
