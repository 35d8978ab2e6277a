import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Runs in a process of its own: the zone of a process is set before it starts. */
const script = `
  import { formatDay, formatLongDay, formatMoment, formatMomentInUtc, formatMonth, formatSpan, formatTime, localMoment } from './app/ui/moment.ts'
  const at = '2026-10-04T02:38:00.000Z'
  const moments = [formatDay, formatLongDay, formatMoment, formatMomentInUtc, localMoment].map((write) => write(at))
  const dates = [formatDay, formatLongDay].map((write) => write('2026-10-04'))
  dates.push(formatSpan({ start: '2026-10-31', end: '2026-11-30' }), formatMonth('2026-10'))
  console.log(JSON.stringify({ moments: [...moments, formatTime(Date.parse(at))], dates }))
`

test.each([
  ['UTC', ['Oct 4, 2026', 'October 4, 2026', 'Oct 4, 2026, 02:38', 'Oct 4, 2026, 02:38 UTC', '2026-10-04T02:38', '02:38']],
  ['America/St_Johns', ['Oct 4, 2026', 'October 4, 2026', 'Oct 4, 2026, 00:08', 'Oct 4, 2026, 02:38 UTC', '2026-10-04T00:08', '00:08']],
  ['America/New_York', ['Oct 3, 2026', 'October 3, 2026', 'Oct 3, 2026, 22:38', 'Oct 4, 2026, 02:38 UTC', '2026-10-03T22:38', '22:38']],
])('times are written in the reader’s zone, and dates alone are the same everywhere, %s', (zone, expected) => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env: { ...process.env, TZ: zone } })
  expect(JSON.parse(output.toString())).toEqual({
    moments: expected,
    dates: ['Oct 4, 2026', 'October 4, 2026', 'Oct 31, 2026 to Nov 30, 2026', 'October 2026'],
  })
})
