import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/** What neither the product nor its people do. A sentence may come back when its promise is true: then its line goes here. */
const notKept: Record<string, RegExp> = {
  'delivery to a warehouse': /snowflake|bigquery/i,
  'delivery by SFTP': /\bsftp\b/i,
  'delivery into the client’s database': /(rows|table|straight|directly) (in|into) your (database|warehouse)/i,
  'delivery into a bucket': /delivery to s3|webhooks · s3/i,
  'a webhook for each record': /webhooks? (when|whenever|for each|for every) (a |any )?(record|row)|webhooks for changes since/i,
  'alerts with both values': /old and (the )?new value/i,
  'alerts in a chat': /\bslack\b|\bteams or\b|microsoft teams/i,
  'a status page': /status page/i,
  'an update every quarter of an hour': /every (15|fifteen) minutes, every/i,
  'a measurement with each delivery':
    /(measured|results come|sampled|compared?) with (every|each|the) (delivery|data)|sample of each delivery/i,
  'a mean of deliveries': /last 50 deliveries/i,
  'a report with each delivery': /delivery report/i,
  'a sample before the delivery': /sample before|(get|with) a sample and|load a sample|first sample/i,
}

/** Texts for visitors, with their tests left out. */
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.(ts|tsx|md|json)$/.test(name) && !name.endsWith('.test.ts'),
)

test.each(Object.entries(notKept))('no text of the site promises %s', (_promise, words) => {
  expect(files.length).toBeGreaterThan(30)
  const broken = files.flatMap((name) => {
    const lines = readFileSync(path.join(import.meta.dirname, name), 'utf8').split('\n')
    return lines.filter((line) => words.test(line)).map((line) => `${name}: ${line.trim()}`)
  })
  expect(broken).toEqual([])
})
