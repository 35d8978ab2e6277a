/** These run in the browser, so each is self-contained. Hidden and drawn text is ignored. */

/** Words that are clipped by their box or a box around it. */
export function cutWords(): string[] {
  const cut: string[] = []
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    if (element.closest('[aria-hidden="true"], .sr-only, [popover], svg, select, option') || !element.innerText?.trim()) continue
    // Said, not shown, at this width alone.
    if (element.offsetWidth <= 1 && element.offsetHeight <= 1) continue
    const { overflowX, overflowY } = getComputedStyle(element)
    const isWider = overflowX !== 'visible' && overflowX !== 'auto' && element.scrollWidth > element.clientWidth + 1
    const isHigher = overflowY !== 'visible' && overflowY !== 'auto' && element.scrollHeight > element.clientHeight + 1
    if (isWider || isHigher) cut.push(element.innerText.slice(0, 40))
  }
  return cut
}

/** Pairs of overlapping words, except in sticky elements. */
export function overlaps(): string[] {
  const words: { text: string; box: DOMRect }[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement: parent, textContent: text } = node
    if (!parent || !text?.trim() || parent.closest('[aria-hidden="true"], .sr-only, [popover], svg, select, datalist, textarea')) continue
    if (parent.closest('a[href="#main"]') || !parent.checkVisibility()) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    // Text that a frame has scrolled out of sight lies under nothing.
    const frame = parent.closest('pre')?.getBoundingClientRect()
    for (const box of range.getClientRects())
      if (!frame || (box.top < frame.bottom && box.bottom > frame.top)) words.push({ text: text.trim().slice(0, 30), box })
  }
  const lies = (a: DOMRect, b: DOMRect) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) / 2
  return words.flatMap((one, index) =>
    words
      .slice(index + 1)
      .filter((other) => lies(one.box, other.box))
      .map((other) => `${one.text} | ${other.text}`),
  )
}

/** The placeholders that are wider than their fields. */
export function cutPlaceholders(): string[] {
  const pen = document.createElement('canvas').getContext('2d')
  return [...document.querySelectorAll<HTMLInputElement>('input[type=search]')].flatMap((field) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(field)
    if (!pen || !field.checkVisibility()) return []
    pen.font = font
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    const words = pen.measureText(field.placeholder).width
    return words > room ? [`${field.placeholder}: ${Math.round(words)} of ${Math.round(room)} px`] : []
  })
}
