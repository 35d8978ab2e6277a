const DOLLARS = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{0,2}))?$/

/** Parses `1,999.5` as 199950 cents without floating point. Undefined for anything else. */
export function centsOf(typed: string): number | undefined {
  const [, dollars, cents = ''] = DOLLARS.exec(typed.trim()) ?? []
  if (!dollars) return undefined
  return Number(dollars.replaceAll(',', '') + cents.padEnd(2, '0'))
}

/** 199950 as `1999.50`: the initial value of a field in dollars. */
export function dollarsOf(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
