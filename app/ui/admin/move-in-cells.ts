/** The arrow keys go from cell to cell of a table; in a field, they belong to its text. */
export function moveInCells(event: React.KeyboardEvent<HTMLElement>) {
  const target = event.target instanceof HTMLElement ? event.target : undefined
  const row = target?.closest<HTMLElement>('[data-row]')
  if (!target || !row || target.matches('input, select, textarea') || event.altKey || event.ctrlKey || event.metaKey) return
  const cells = cellsOf(row)
  const at = cells.indexOf(target)
  if (at < 0) return
  const isMenu = target.ariaHasPopup === 'menu'
  const near = event.key === 'ArrowUp' ? row.previousElementSibling : event.key === 'ArrowDown' ? row.nextElementSibling : null
  const next =
    event.key === 'ArrowRight'
      ? cells[at + 1]
      : event.key === 'ArrowLeft'
        ? cells[at - 1]
        : near instanceof HTMLElement && !isMenu
          ? cellsOf(near)[at]
          : undefined
  if (!next) return
  event.preventDefault()
  next.focus()
}

function cellsOf(row: HTMLElement): HTMLElement[] {
  const cells = row.querySelectorAll<HTMLElement>('td > a, td > [data-open], td > [data-cell], td > [aria-haspopup=menu]')
  // Those of columns that are hidden in a narrow table take no focus.
  return [...cells].filter((cell) => cell.offsetParent !== null)
}
