import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

type Pdf = PDFKit.PDFDocument
/** `font`: the name in the document of the font for Latin, Greek and Cyrillic. */
export type Look = { font: string; size: number; color: string; width: number; isRight?: boolean | undefined }
type Run = { text: string; face: Face | undefined }
export type Line = { text: string; runs: Run[] }

/** Fonts of other scripts. Their packages claim characters that they lack, so `letters` names the scripts of each. */
const FAMILIES = [
  { name: 'noto-sans-sc', letters: /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\u3000-\u303F\uFF01-\uFF65]/u, isThin: true },
  { name: 'noto-sans-kr', letters: /\p{scx=Hangul}/u, isThin: true },
  { name: 'vazirmatn', letters: /\p{scx=Arabic}/u, isThin: false },
  { name: 'noto-sans-hebrew', letters: /\p{scx=Hebrew}/u, isThin: true },
  { name: 'noto-sans-devanagari', letters: /\p{scx=Devanagari}/u, isThin: false },
  { name: 'noto-sans-thai', letters: /\p{scx=Thai}/u, isThin: false },
] as const
/** Has all of the basic plane, as coarse squares. */
const LAST = '@fontsource/unifontex/files/unifontex-latin-400-normal.woff2'
const LAST_LETTER = 0xff_ff

/** A part of a family: the packages have one for each range of letters. `isThin`: its default is the thinnest weight, which a stroke makes regular. */
type Face = { name: string; file: string; isThin: boolean; has: (code: number) => boolean }

/** Characters that the fonts of the product lack. */
const OTHERS =
  /[^\n -~\u00A0-\u017F\u0218-\u021B\u0386-\u03CE\u0400-\u045F\u0490\u0491\u1E80-\u1E9E\u2010-\u2026\u2030\u2039\u203A\u20AC\u20BA\u20B9\u2212]/u
const INVISIBLE = /^[\p{Cf}\p{Cc}\uFE00-\uFE0F]$/u
const FROM_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const BETWEEN = /^[\s\d.,:;/()&'"-]*$/

const locate = createRequire(import.meta.url)
const words = new Intl.Segmenter('en', { granularity: 'word' })
const signs = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Draws the letters of any script in a document whose own fonts have Latin, Greek and Cyrillic. Reads only the fonts that `text` needs. */
export async function lettersOf(pdf: Pdf, text: string): Promise<Letters> {
  const codes = new Set(
    Array.from(plain(text))
      .filter((letter) => OTHERS.test(letter))
      .map(codeOf),
  )
  const faces: Face[] = []
  if (codes.size > 0) {
    for (const face of await listFaces()) {
      const drawn = [...codes].filter((code) => face.has(code))
      if (drawn.length === 0) continue
      for (const code of drawn) codes.delete(code)
      pdf.registerFont(face.name, await fontOf(face))
      faces.push(face)
    }
  }
  return new Letters(pdf, faces)
}

async function listFaces(): Promise<Face[]> {
  const all = await Promise.all(FAMILIES.map(facesOf))
  return [...all.flat(), { name: 'last', file: locate.resolve(LAST), isThin: false, has: (code) => code <= LAST_LETTER }]
}

/** The parts of a package, as its style sheet tells them. */
async function facesOf({ name, letters, isThin }: (typeof FAMILIES)[number]): Promise<Face[]> {
  const sheet = locate.resolve(`@fontsource-variable/${name}/index.css`)
  const css = await readFile(sheet, 'utf8')
  return [...css.matchAll(/url\(\.\/(files\/[^)]+)\)[^}]*unicode-range: ([^;]+);/g)].map(([, file = '', range = '']) => {
    const ranges = range.split(',').map((part) => {
      const [from = '', to = from] = part.replace('U+', '').split('-')
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const
    })
    const has = (code: number) => letters.test(String.fromCodePoint(code)) && ranges.some(([from, to]) => code >= from && code <= to)
    return { name: file, file: path.join(path.dirname(sheet), file), isThin, has }
  })
}

/** The library cannot embed glyphs of WOFF2. It unpacks WOFF itself, which takes ten times as long. */
async function fontOf({ file }: Face): Promise<Buffer> {
  const { default: decompress } = await import('woff2-encoder/decompress')
  return Buffer.from(await decompress(await readFile(file)))
}

function codeOf(letter: string): number {
  return letter.codePointAt(0) ?? 0
}

function plain(text: string): string {
  return text.normalize('NFC').replaceAll('\u202F', '\u00A0')
}

export class Letters {
  readonly #pdf: Pdf
  readonly #faces: readonly Face[]

  constructor(pdf: Pdf, faces: readonly Face[]) {
    this.#pdf = pdf
    this.#faces = faces
  }

  heightOf(text: string, look: Look): number {
    if (!OTHERS.test(plain(text))) return this.#own(look).heightOfString(plain(text), { width: look.width })
    return this.linesOf(text, look).length * this.lineHeight(look)
  }

  draw(text: string, x: number, y: number, look: Look): void {
    if (OTHERS.test(plain(text))) {
      for (const [at, line] of this.linesOf(text, look).entries()) this.drawLine(line, x, y + at * this.lineHeight(look), look)
      return
    }
    this.#own(look).text(plain(text), x, y, { width: look.width, align: look.isRight ? 'right' : 'left' })
  }

  /** Higher than a line of Latin: some scripts have marks above and below. */
  lineHeight(look: Look): number {
    return this.#own(look).currentLineHeight(true) * 1.2
  }

  /** The text in lines that are no wider than there is room. */
  linesOf(text: string, look: Look): Line[] {
    return plain(text)
      .split('\n')
      .flatMap((paragraph) => {
        const lines = ['']
        let width = 0
        for (const piece of this.#piecesOf(paragraph, look)) {
          if (width > 0 && width + this.#widthOf(piece.trimEnd(), look) > look.width) {
            lines.push('')
            width = 0
          }
          lines[lines.length - 1] += piece
          width += this.#widthOf(piece, look)
        }
        return lines.map((line) => ({ text: line.trimEnd(), runs: this.#runsOf(line.trimEnd()) }))
      })
  }

  drawLine({ text, runs }: Line, x: number, y: number, look: Look): void {
    const pdf = this.#pdf
    const width = runs.reduce((sum, run) => sum + this.#runWidth(run, look), 0)
    let left = look.isRight ? x + look.width - width : x
    const baseline = y + this.lineHeight(look) * 0.76
    // Marks are drawn in another order than they are written. Readers turn what is read from the right around by themselves.
    const isSpelled = OTHERS.test(text) && !FROM_RIGHT.test(text)
    if (isSpelled) pdf.markContent('Span', { actual: text })
    for (const run of inVisualOrder(runs)) {
      pdf
        .font(run.face?.name ?? look.font)
        .fontSize(look.size)
        .fillColor(look.color)
      if (run.face?.isThin) pdf.lineWidth(look.size * 0.035).strokeColor(look.color)
      pdf.text(run.text, left, baseline, {
        lineBreak: false,
        baseline: 'alphabetic',
        ...(run.face && { features: [], fill: true, stroke: run.face.isThin }),
      })
      left += this.#runWidth(run, look)
    }
    if (isSpelled) pdf.endMarkedContent()
  }

  #own({ font, size, color }: Look): Pdf {
    return this.#pdf.font(font).fontSize(size).fillColor(color)
  }

  /** Where a line may end: after spaces, and between the words of scripts that write none. A piece wider than a line is cut. */
  #piecesOf(paragraph: string, look: Look): string[] {
    const pieces = paragraph
      .split(/(?<=\s)(?=\S)/)
      .flatMap((piece) => (OTHERS.test(piece) ? Array.from(words.segment(piece), ({ segment }) => segment) : [piece]))
    return pieces.flatMap((piece) =>
      this.#widthOf(piece, look) > look.width ? Array.from(signs.segment(piece), ({ segment }) => segment) : [piece],
    )
  }

  #widthOf(text: string, look: Look): number {
    return this.#runsOf(text).reduce((sum, run) => sum + this.#runWidth(run, look), 0)
  }

  #runWidth({ text, face }: Run, look: Look): number {
    return this.#pdf
      .font(face?.name ?? look.font)
      .fontSize(look.size)
      .widthOfString(text, face ? { features: [] } : {})
  }

  /** Neighbors of one font together: shapes of Arabic or Hindi letters depend on them. A character that no font has is drawn as its code. */
  #runsOf(text: string): Run[] {
    if (!OTHERS.test(text)) return text === '' ? [] : [{ text, face: undefined }]
    const runs: Run[] = []
    for (const letter of text) {
      const last = runs.at(-1)
      const code = codeOf(letter)
      const isOwn = !OTHERS.test(letter)
      const face = isOwn ? undefined : last?.face?.has(code) ? last.face : this.#faces.find((one) => one.has(code))
      if (!isOwn && INVISIBLE.test(letter) && face !== last?.face) continue
      const shown = isOwn || face ? letter : `[U+${code.toString(16).toUpperCase()}]`
      const stays = last && (last.face === face || (letter === ' ' && last.face?.has(code)))
      if (stays) last.text += shown
      else runs.push({ text: shown, face })
    }
    return runs
  }
}

/** Runs that are read from the right change places, with the numbers and marks between them. */
function inVisualOrder(runs: readonly Run[]): Run[] {
  const ordered: Run[] = []
  let group: Run[] = []
  const end = () => {
    const last = group.findLastIndex(({ text }) => FROM_RIGHT.test(text))
    ordered.push(...group.slice(0, last + 1).toReversed(), ...group.slice(last + 1))
    group = []
  }
  for (const run of runs) {
    const isFromRight = FROM_RIGHT.test(run.text)
    if (!isFromRight && !(group.length > 0 && BETWEEN.test(run.text))) {
      end()
      ordered.push(run)
    } else group.push(run)
  }
  end()
  return ordered
}
