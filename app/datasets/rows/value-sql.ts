/** The engine's types whose values have fractions, and may be NaN or infinite. */
export function isFloating(kept: string): boolean {
  return kept === 'DOUBLE' || kept === 'FLOAT'
}

const WHOLE = /^U?(BIG|HUGE)INT$/

/** A value as text: times as ISO 8601 with microseconds, numbers without loss. */
export function textOfValue(kept: string, x: string): string {
  if (kept.startsWith('TIMESTAMP')) return `replace(make_timestamp(epoch_us(${x}))::VARCHAR, ' ', 'T')`
  if (isFloating(kept)) {
    return `CASE WHEN isfinite(${x}) THEN ${x}::VARCHAR WHEN isnan(${x}) THEN 'NaN' WHEN ${x} > 0 THEN 'Infinity' WHEN ${x} < 0 THEN '-Infinity' END`
  }
  return kept === 'VARCHAR' ? x : `${x}::VARCHAR`
}

/** The shortest number: a FLOAT of 0.1 would otherwise become 0.10000000149011612. */
export function shortest(kept: string, x: string): string {
  return kept === 'FLOAT' ? `${x}::VARCHAR::DOUBLE` : x
}

/** A value as JSON, alone or inside a list or an object. JSON has no infinity or NaN, and its readers round numbers of many digits: these are text. */
export function jsonOfValue(kept: string, x: string): string {
  const text = `to_json(${textOfValue(kept, x)})`
  if (isFloating(kept)) return `CASE WHEN isfinite(${x}) THEN to_json(${shortest(kept, x)}) ELSE ${text} END`
  if (WHOLE.test(kept)) return `CASE WHEN ${x} BETWEEN -9007199254740991 AND 9007199254740991 THEN to_json(${x}) ELSE ${text} END`
  return kept === 'BOOLEAN' || /INT(EGER)?$/.test(kept) ? `to_json(${x})` : text
}

const TOKENS = String.raw`"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)|[^"NI-]+|[-NI]`

/** Nested JSON of an earlier release can hold NaN and infinity as numbers, which is no JSON. */
export function validJson(x: string): string {
  const repaired = `list_aggregate(list_transform(regexp_extract_all(${x}, '${TOKENS}'),
    lambda token: CASE WHEN token IN ('NaN', 'Infinity', '-Infinity') THEN concat('"', token, '"') ELSE token END), 'string_agg', '')`
  return `CASE WHEN contains(${x}, 'NaN') OR contains(${x}, 'Infinity') THEN ${repaired} ELSE ${x} END`
}
