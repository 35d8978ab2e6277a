/** The sign before the decimals of an amount. */
export const decimalSigns = ['.', ','] as const
export type DecimalSign = (typeof decimalSigns)[number]

/** The order of day, month and year in a date of figures. */
export const dateOrders = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof dateOrders)[number]

/** The readings of one text, by the way in which its whole column can be written. */
export type Readings<Way extends string, Value> = Partial<Record<Way, Value | undefined>>

/** `doubt` is a text with more than one reading that no other text of the column decides. Until it is answered, such texts are `open`. */
export type ColumnReading<Way extends string, Value> = {
  read: (text: string) => Value | 'open' | undefined
  doubt?: { text: string; readings: Readings<Way, Value> }
}

type Reader<Way extends string, Value> = { ways: readonly Way[]; readingsOf: (text: string) => Readings<Way, Value> }

/**
 * Decides from all texts of a column in which way it is written. Texts that contradict each other decide nothing. `chosen` is a person's
 * answer, and counts where the texts leave it open.
 */
export function readColumn<Way extends string, Value extends number | Date>(
  texts: readonly string[],
  { ways, readingsOf }: Reader<Way, Value>,
  chosen: Way | undefined,
): ColumnReading<Way, Value> {
  const all = [...new Set(texts)].map((text) => ({ text, readings: readingsOf(text) })).filter(({ readings }) => countOf(readings) > 0)
  const fitting = ways.filter((way) => all.every(({ readings }) => readings[way] !== undefined))
  const open = fitting.length > 0 ? fitting : ways
  const within = (readings: Readings<Way, Value>, among: readonly Way[]) => {
    const kept: Readings<Way, Value> = {}
    for (const way of among) kept[way] = readings[way]
    return kept
  }
  const doubt = all.map(({ text, readings }) => ({ text, readings: within(readings, open) })).find(({ readings }) => countOf(readings) > 1)
  const answer = chosen !== undefined && open.includes(chosen) ? [chosen] : []
  return {
    read(text) {
      const readings = within(readingsOf(text), open)
      const [first, second] = valuesOf(readings)
      return second === undefined ? first : (valuesOf(within(readings, answer))[0] ?? 'open')
    },
    ...(doubt && { doubt }),
  }
}

function valuesOf<Value extends number | Date>(readings: Readings<string, Value>): Value[] {
  const values = Object.values(readings).filter((value) => value !== undefined)
  return values.filter((value, at) => values.findIndex((other) => Number(other) === Number(value)) === at)
}

/** The number of different values. */
function countOf(readings: Readings<string, number | Date>): number {
  return valuesOf(readings).length
}
