import type { Column } from '#app/datasets/catalog/column.ts'

export type Example = { title: string; sql: string }

/** SQL keywords. */
const RESERVED = new Set(
  'all and any as asc between by case cast column cross default desc distinct else end except exists false for from full group having in inner intersect into is join left like limit not null offset on or order right select table then to true union unique user using values when where window with analyse analyze anti array asof asymmetric at authorization binary both check collate collation concurrently constraint create deferrable describe do fetch foreign freeze glob ilike initially isnull lambda lateral leading natural notnull only outer overlaps pivot pivot_longer pivot_wider placing positional primary qualify references returning semi show similar some summarize symmetric tablesample trailing unpack unpivot variadic verbose'.split(
    ' ',
  ),
)

/** A name as it is written in a query: quoted unless it is plain. */
export function nameInSql(name: string): string {
  return /^[a-z_][a-z\d_]*$/.test(name) && !RESERVED.has(name) ? name : `"${name.replaceAll('"', '""')}"`
}

/** Example queries for the columns of this dataset. */
export function exampleQuestions(columns: readonly Column[]): Example[] {
  const first = (...types: Column['type'][]) => columns.find(({ type, masked }) => types.includes(type) && !masked)
  const group = columns.find(({ type, distinct, masked }) => type === 'text' && distinct > 1 && distinct <= 200 && !masked)
  const measured = (wanted: Column['type']) =>
    columns.find(({ type, distinct, name, masked }) => type === wanted && distinct > 2 && !masked && !/(^|_)id$/i.test(name))
  // A whole number can also be a name, as the number of an article.
  const amount = measured('number') ?? measured('integer')
  const time = first('date', 'timestamp')
  return [
    { title: 'First rows', sql: 'SELECT *\nFROM data\nLIMIT 100' },
    { title: 'Summary of all columns', sql: 'SUMMARIZE data' },
    ...(group ? [countBy(group)] : []),
    ...(group && amount ? [meanBy(group, amount)] : []),
    ...(time ? [byMonth(time, amount)] : []),
    ...(amount ? [highest(amount)] : []),
    ...columns
      .filter(({ type, masked }) => type === 'timestamp' && !masked)
      .flatMap(atOffset)
      .slice(0, 1),
  ]
}

function countBy({ name }: Column): Example {
  const by = nameInSql(name)
  return { title: `Rows by ${name}`, sql: `SELECT ${by}, count(*) AS rows\nFROM data\nGROUP BY ${by}\nORDER BY rows DESC\nLIMIT 20` }
}

function meanBy(group: Column, amount: Column): Example {
  const [by, of] = [nameInSql(group.name), nameInSql(amount.name)]
  return {
    title: `Average ${amount.name} by ${group.name}`,
    sql: `SELECT ${by}, round(avg(${of}), 2) AS mean, count(*) AS rows\nFROM data\nGROUP BY ${by}\nORDER BY mean DESC\nLIMIT 20`,
  }
}

function byMonth({ name, type }: Column, amount: Column | undefined): Example {
  const month = `date_trunc('month', ${nameInSql(name)})${type === 'timestamp' ? '::date' : ''}`
  const figure = amount ? `round(avg(${nameInSql(amount.name)}), 2) AS mean` : 'count(*) AS rows'
  return {
    title: amount ? `Average ${amount.name} by month` : 'Rows by month',
    sql: `SELECT ${month} AS month, ${figure}\nFROM data\nWHERE ${nameInSql(name)} IS NOT NULL\nGROUP BY month\nORDER BY month`,
  }
}

const HOURS_BEHIND = 4

/** The newest rows, by a time of another zone: a plain text loses its offset when it is compared. */
function atOffset({ name, max }: Column): Example[] {
  const newest = Date.parse(`${max}Z`)
  if (Number.isNaN(newest)) return []
  const local = new Date(newest - HOURS_BEHIND * 3_600_000).toISOString().slice(0, 19)
  return [
    {
      title: `${name} in a time zone`,
      sql: `-- Times are in UTC. A time with an offset needs TIMESTAMPTZ before it.\nSELECT *\nFROM data\nWHERE ${nameInSql(name)} >= TIMESTAMPTZ '${local}-0${HOURS_BEHIND}:00'\nLIMIT 100`,
    },
  ]
}

function highest({ name }: Column): Example {
  const of = nameInSql(name)
  return { title: `Highest ${name}`, sql: `SELECT *\nFROM data\nWHERE ${of} IS NOT NULL\nORDER BY ${of} DESC\nLIMIT 10` }
}
