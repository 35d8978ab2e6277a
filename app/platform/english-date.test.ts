import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Runs in a process of its own: the zone of a process is set before it starts. */
const compare = `
  import { dayOfMonth, timeOfDay, longDay, mediumDay, onLocalClock } from './app/platform/english-date.ts'
  const formats = [
    [{ dateStyle: 'long' }, longDay],
    [{ dateStyle: 'medium' }, mediumDay],
    [{ day: 'numeric', month: 'short' }, dayOfMonth],
    [{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, timeOfDay],
  ].map(([options, write]) => ({ format: new Intl.DateTimeFormat('en', options), write }))
  const different = []
  let compared = 0
  // 40 years in steps of 37 hours and 7 minutes: all hours, days and months, and the weeks in which clocks change.
  for (let at = Date.UTC(2000, 0); at < Date.UTC(2040, 0); at += (37 * 60 + 7) * 60_000) {
    for (const { format, write } of formats) {
      const expected = format.format(at)
      const written = write(onLocalClock(new Date(at)))
      compared += 1
      if (written !== expected) different.push([at, expected, written])
    }
  }
  console.log(JSON.stringify({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone, compared, different: different.slice(0, 5) }))
`

test.each(['UTC', 'America/St_Johns', 'Australia/Lord_Howe'])('dates are written as Intl writes them, %s', (zone) => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', compare], { env: { ...process.env, TZ: zone } })
  expect(JSON.parse(output.toString())).toEqual({ zone, compared: 37_788, different: [] })
})
