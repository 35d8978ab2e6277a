import type { PostHeading } from '#app/blog/posts/post.ts'
import { cx } from '#app/ui/class-names.ts'

const WIDTH = 640
const HEIGHT = 360
/** The characters are scattered to the left of this x, and the figure is to the right. */
const MIDDLE = 300
const MOST_CHARACTERS = 72
const MOST_VALUES = 12

type CoverProps = { post: { id: string; title: string; headings: readonly PostHeading[] }; className?: string }

/**
 * The cover of a post without an image, drawn from its own words and always the same: a grain for each character of the title, and a
 * figure from the lengths of the words in its title and headings.
 */
export function PostCover({ post: { id, title, headings }, className }: CoverProps) {
  const seed = seedOf(id)
  const figure = figures[seed % figures.length] ?? drawColumns
  const ground = (seed >>> 8) % 3 === 0 ? 'bg-grain-wash' : 'bg-sunken'
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={cx('aspect-video w-full border-b border-line', ground, className)}
    >
      <path d={scatter(title, seed)} className="stroke-edge" strokeWidth="7" strokeLinecap="round" opacity="0.55" />
      {figure(valuesOf(title, headings))}
    </svg>
  )
}

/** FNV-1a. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/** Characters near the middle are straighter, and closer to their rows. */
function scatter(title: string, seed: number): string {
  const characters = Array.from(title.replaceAll(/\s/g, '')).slice(0, MOST_CHARACTERS)
  const perRow = Math.ceil(characters.length / 9)
  return characters
    .map((character, index) => {
      const [column, row] = [Math.floor(index / 9), index % 9]
      const unrest = 1 - column / (perRow + 1)
      const stray = seedOf(`${seed} ${index} ${character}`)
      const x = 28 + (column * (MIDDLE - 56)) / perRow + (((stray >>> 3) % 41) - 20) * unrest
      const y = 40 + row * 35 + (((stray >>> 11) % 61) - 30) * unrest
      const turn = ((((stray >>> 19) % 181) - 90) * unrest * Math.PI) / 180
      return `M${Math.round(x)} ${Math.round(y)}l${(9 * Math.cos(turn)).toFixed(1)} ${(9 * Math.sin(turn)).toFixed(1)}`
    })
    .join('')
}

/** Between 0 and 1: the lengths of words, with the longest as 1. */
function valuesOf(title: string, headings: readonly PostHeading[]): number[] {
  const words = [title, ...headings.map((heading) => heading.title)].join(' ').match(/[\p{L}\p{N}]{2,}/gu) ?? []
  const lengths = words.slice(0, MOST_VALUES).map(({ length }) => length)
  while (lengths.length < 5) lengths.push(2 + ((lengths.at(-1) ?? 3) % 5))
  const most = Math.max(...lengths)
  return lengths.map((length) => length / most)
}

const LEFT = MIDDLE + 36
const RIGHT = WIDTH - 40

const figures = [drawRows, drawColumns, drawLine, drawCells]

function drawRows(values: number[]) {
  const rows = values.slice(0, 7)
  const top = HEIGHT / 2 - ((rows.length - 1) * 40) / 2
  const longest = rows.indexOf(1)
  const [marks, bars] = [rows.map((_, row) => `M${LEFT} ${top + row * 40}h12`), rows.map((value, row) => rowOf(value, top + row * 40))]
  const isKept = (_: string, row: number) => row === longest
  return (
    <g strokeWidth="14" strokeLinecap="round" fill="none">
      <path d={marks.join('')} className="stroke-edge" />
      <path d={bars.filter((bar, row) => !isKept(bar, row)).join('')} className="stroke-ink" opacity="0.8" />
      <path d={bars.filter(isKept).join('')} className="stroke-grain" />
    </g>
  )
}

function rowOf(value: number, y: number): string {
  const start = LEFT + 44
  return `M${start} ${y}h${Math.round(value * (RIGHT - start))}`
}

function drawColumns(values: number[]) {
  const step = (RIGHT - LEFT) / values.length
  const column = (value: number, index: number) => `M${Math.round(LEFT + step * (index + 0.5))} 300v${-Math.round(24 + value * 200)}`
  const longest = values.indexOf(1)
  return (
    <g strokeWidth={Math.round(step * 0.62)} fill="none">
      <path d={values.map(column).join('')} className="stroke-ink" opacity="0.8" />
      <path d={column(1, longest)} className="stroke-grain" />
      <path d={`M${LEFT} 304H${RIGHT}`} className="stroke-edge" strokeWidth="3" />
    </g>
  )
}

function drawLine(values: number[]) {
  const step = (RIGHT - LEFT) / (values.length - 1)
  const points = values.map((value, index) => [Math.round(LEFT + step * index), Math.round(288 - value * 210)] as const)
  const [lastX, lastY] = points[values.indexOf(1)] ?? [RIGHT, 78]
  return (
    <g fill="none" strokeLinecap="round" strokeLinejoin="round">
      <path d={[78, 148, 218, 288].map((y) => `M${LEFT} ${y}H${RIGHT}`).join('')} className="stroke-line" strokeWidth="3" />
      <path d={`M${points.map((point) => point.join(' ')).join('L')}`} className="stroke-ink" strokeWidth="6" opacity="0.8" />
      <circle cx={lastX} cy={lastY} r="13" className="fill-grain" />
    </g>
  )
}

const CELLS = 7

function drawCells(values: number[]) {
  const size = (RIGHT - LEFT) / CELLS
  const cells = Array.from({ length: CELLS * CELLS }, (_, index) => {
    const value = (values[index % values.length] ?? 0) * (0.4 + 0.6 * (values[Math.floor(index / CELLS) % values.length] ?? 0))
    const d = `M${Math.round(LEFT + (index % CELLS) * size)} ${Math.round(48 + Math.floor(index / CELLS) * size)}h28v28h-28z`
    return { value, d }
  })
  const [most] = cells.toSorted((a, b) => b.value - a.value)
  const tone = (from: number, to: number) =>
    cells
      .filter((cell) => cell !== most && cell.value >= from && cell.value < to)
      .map(({ d }) => d)
      .join('')
  return (
    <>
      <path d={tone(0, 0.3)} className="fill-line" />
      <path d={tone(0.3, 0.55)} className="fill-edge" />
      <path d={tone(0.55, 2)} className="fill-ink" opacity="0.8" />
      <path d={most?.d} className="fill-grain" />
    </>
  )
}
