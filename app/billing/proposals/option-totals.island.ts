/** Totals follow the chosen options. Without script a button updates them. */
export function optionTotals(element: HTMLElement) {
  const total = element.querySelector<HTMLElement>('[data-total]')
  const boxes = [...element.querySelectorAll<HTMLInputElement>('input[data-net]')]
  const update = element.querySelector<HTMLElement>('[data-update]')
  if (!total || boxes.length === 0) return undefined
  const { currency = '', locale = 'en', fixed = '0' } = total.dataset
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const unit = 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2)
  const show = () => {
    const net = boxes.reduce((sum, box) => sum + (box.checked ? Number(box.dataset['net']) : 0), Number(fixed))
    if (total.firstChild) total.firstChild.nodeValue = format.format(net / unit)
  }
  if (update) update.hidden = true
  for (const box of boxes) box.addEventListener('change', show)
  show()
  return () => {
    for (const box of boxes) box.removeEventListener('change', show)
  }
}
