/** Amounts follow the chosen options and quantities. Without script a button updates them; the server alone decides what is signed. */
export function optionTotals(element: HTMLElement) {
  const total = element.querySelector<HTMLElement>('[data-total]')
  const lines = [...element.querySelectorAll<HTMLElement>('[data-line]')]
  const inputs = lines.flatMap((line) => [...line.querySelectorAll<HTMLInputElement>('input[form="accept"]')])
  const update = element.querySelector<HTMLElement>('[data-update]')
  if (!total || inputs.length === 0) return undefined
  const { currency = '', locale = 'en', share = '0', amount = '0' } = total.dataset
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const unit = 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2)
  const write = (place: Element | null, value: bigint) => {
    if (place) place.textContent = format.format(Number(value) / unit)
  }
  const show = () => {
    let sum = 0n
    for (const line of lines) {
      const net = netOf(line)
      write(line.querySelector('[data-net]'), net)
      if (line.querySelector<HTMLInputElement>('input[type="checkbox"]')?.checked ?? true) sum += net
    }
    const discount = BigInt(amount) || part(sum, BigInt(share), 10_000n)
    const off = discount < sum ? discount : sum
    write(element.querySelector('[data-off]'), -off)
    write(total, sum - off)
  }
  if (update) update.hidden = true
  for (const input of inputs) input.addEventListener('input', show)
  show()
  return () => {
    for (const input of inputs) input.removeEventListener('input', show)
  }
}

/** A quantity that is not allowed counts as the one of the proposal, as on the server. */
function netOf(line: HTMLElement): bigint {
  const { quantity = '0', each = '0', less = '0' } = line.dataset
  const field = line.querySelector<HTMLInputElement>('input[type="number"]')
  const isTyped = field !== null && field.value !== '' && field.validity.valid
  const gross = part(BigInt(each), BigInt(isTyped ? Math.round(Number(field.value) * 1000) : quantity), 1000n)
  return gross - part(gross, BigInt(less), 10_000n)
}

/** `amount × of ÷ whole`, rounded half up. */
function part(amount: bigint, of: bigint, whole: bigint): bigint {
  return (amount * of * 2n + whole) / (whole * 2n)
}
