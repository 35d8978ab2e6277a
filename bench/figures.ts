type Figure = { what: string; found: string; bar?: string; ok?: boolean }

/** Prints figures with their bars, one per line. Returns whether all bars are met. */
export function printFigures(figures: Figure[]): boolean {
  const widths = { what: widest(figures.map(({ what }) => what)), found: widest(figures.map(({ found }) => found)) }
  for (const { what, found, bar = '', ok = true } of figures) {
    const mark = bar ? (ok ? '✓' : '✗') : ' '
    process.stdout.write(`${mark} ${what.padEnd(widths.what)}  ${found.padStart(widths.found)}  ${bar && `(${bar})`}\n`)
  }
  return figures.every(({ ok = true }) => ok)
}

function widest(texts: string[]): number {
  return Math.max(...texts.map((text) => text.length))
}
