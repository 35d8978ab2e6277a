import { lightColors as colors } from '#app/ui/paper.ts'

const image = (width: number, height: number, shapes: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${shapes}</svg>`

/** Scattered on the left, rows on the right, as in the header of every page. */
export function mark(accent: string): string {
  const grains = [
    [2, 7.5],
    [6.5, 3.5],
    [7, 11],
    [2.5, 15.5],
    [6.5, 20],
  ].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="1.5"/>`)
  const bar = (y: number, fill: string) => `<rect x="11.5" y="${y}" width="16" height="4.5" rx="1.5" fill="${fill}"/>`
  return image(28, 24, `<g fill="${colors.muted}">${grains.join('')}</g>${bar(1.5, colors.ink)}${bar(9.5, accent)}${bar(17.5, colors.ink)}`)
}

const COLUMNS = 15
const ROWS = 9

/** Grains that are scattered on the left and form rows on the right; the ones in rows are colored. */
export function scatteredRows(accent: string): string {
  const grains = Array.from({ length: COLUMNS * ROWS }, (_, index) => {
    const [column, row] = [index % COLUMNS, Math.floor(index / COLUMNS)]
    const unrest = Math.max(0, 1 - column / 11)
    const x = 30 + column * 27 + stray(index, 37) * 30 * unrest
    const y = 26 + row * 30 + stray(index, 53) * 44 * unrest
    const turn = stray(index, 71) * 180 * unrest
    const isKept = column > 8 && row % 2 === 0
    const otherFill = column > 8 ? colors.line : colors.edge
    const fill = isKept ? accent : otherFill
    const width = isKept ? 20 : 9
    return `<rect x="${x}" y="${y}" width="${width}" height="7" rx="3" fill="${fill}" transform="rotate(${turn} ${x} ${y})"/>`
  })
  return image(436, 292, grains.join(''))
}

/** Between -0.5 and 0.5, the same each time. */
function stray(index: number, step: number): number {
  return ((index * step + ((index * index) % 13) * 7) % 29) / 29 - 0.5
}

/** Distant paragraphs; one sentence is highlighted. */
export function lines(accent: string): string {
  const widths = [300, 284, 296, 120, 0, 290, 300, 264, 180]
  const drawn = widths.map((width, index) => {
    const isMarked = index === 6
    return `<rect x="72" y="${34 + index * 26}" width="${width}" height="${isMarked ? 14 : 10}" rx="4" fill="${isMarked ? accent : colors.edge}" opacity="${isMarked ? 1 : 0.45}"/>`
  })
  return image(436, 292, drawn.join(''))
}
