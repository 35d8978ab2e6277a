/** The bounds of what a visitor adds to an enquiry. */
export const additionLimits = { files: 10, bytes: 20 * 1024 * 1024, details: 50, detailCharacters: 5_000 } as const

type FileKind = { endings: readonly string[]; type: string; begins?: readonly string[] }

const ZIP = '504b0304'
const OLD_OFFICE = 'd0cf11e0a1b11ae1'

/** Files with a beginning of their own (hexadecimal), and texts. */
const kinds: readonly FileKind[] = [
  { endings: ['pdf'], type: 'application/pdf', begins: ['255044462d'] },
  { endings: ['png'], type: 'image/png', begins: ['89504e470d0a1a0a'] },
  { endings: ['jpg', 'jpeg'], type: 'image/jpeg', begins: ['ffd8ff'] },
  { endings: ['webp'], type: 'image/webp', begins: ['52494646'] },
  { endings: ['xlsx'], type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', begins: [ZIP] },
  { endings: ['docx'], type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', begins: [ZIP] },
  { endings: ['ods'], type: 'application/vnd.oasis.opendocument.spreadsheet', begins: [ZIP] },
  { endings: ['odt'], type: 'application/vnd.oasis.opendocument.text', begins: [ZIP] },
  { endings: ['xls'], type: 'application/vnd.ms-excel', begins: [OLD_OFFICE] },
  { endings: ['doc'], type: 'application/msword', begins: [OLD_OFFICE] },
  { endings: ['zip'], type: 'application/zip', begins: [ZIP] },
  { endings: ['csv'], type: 'text/csv' },
  { endings: ['tsv'], type: 'text/tab-separated-values' },
  { endings: ['txt'], type: 'text/plain' },
  { endings: ['json'], type: 'application/json' },
  { endings: ['xml'], type: 'application/xml' },
]

/** For the file chooser. */
export const acceptedEndings = kinds.flatMap(({ endings }) => endings.map((ending) => `.${ending}`)).join(',')

/** The media type of a file by its name, unless its content is something else. */
export function typeOfFile(name: string, bytes: Uint8Array): string | undefined {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  const kind = name.includes('.') ? kinds.find(({ endings }) => endings.includes(ending)) : undefined
  if (!kind) return undefined
  const start = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  if (kind.begins) return kind.begins.some((beginning) => start.startsWith(beginning)) ? kind.type : undefined
  // A text has no NUL, except in UTF-16.
  return /^(fffe|feff)/.test(start) || !bytes.includes(0) ? kind.type : undefined
}

/** Why files were not added; the page has a sentence for each. */
export type FileRefusal = 'missing' | 'empty' | 'type' | 'size' | 'count' | 'closed' | 'busy' | 'often'
