/** Every reader holds so many digits; of more, only some numbers. */
const SURE_DIGITS = 15
/** No plus sign, no leading zero, no exponent: `+49`, `007` and `1E5` are codes. */
const PLAIN = String.raw`-?(0|[1-9][0-9]*)?(\.[0-9]*)?`
const WITH_EXPONENT = String.raw`-?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][-+]?[0-9]+)?`

/** Whether a number loses nothing as such. */
export function isExact(x: string, isJsonNumber = false): string {
  const text = `trim(${x})`
  const number = asNumber(x)
  const mantissa = `split_part(lower(${text}), 'e', 1)`
  const whole = `split_part(ltrim(${mantissa}, '-'), '.', 1)`
  const digits = `trim(translate(${mantissa}, '-.', ''), '0')`
  const kept = `trim(translate(split_part((${number})::VARCHAR, 'e', 1), '-.', ''), '0')`
  return `isfinite(${number}) AND regexp_full_match(${text}, '${isJsonNumber ? WITH_EXPONENT : PLAIN}')
    AND length(${whole}) <= ${SURE_DIGITS} AND (${number} <> 0 OR ${digits} = '') AND (length(${digits}) <= ${SURE_DIGITS} OR ${digits} = ${kept})`
}

export function asNumber(x: string): string {
  return `TRY_CAST(${x} AS DOUBLE)`
}
