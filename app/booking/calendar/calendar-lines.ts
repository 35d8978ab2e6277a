import ICAL from 'ical.js'

/** One part of a calendar, and whether a line that counts for its times cannot be read. */
type ReadPart = { component: ICAL.Component; lost: boolean }

/** Marks a part whose end cannot be read. */
export const UNREAD_END = 'x-unread-end'

/** Lines without which the times of a part are not whole. */
const TIMES = /^(DTSTART|DTEND|DURATION|RRULE|RDATE|RECURRENCE-ID|FREEBUSY)$/i

/**
 * Reads one part of a calendar. Programs write what no standard allows, so lines are mended where their meaning is clear, and otherwise left out one
 * by one: a part must not lose its times to a line that has nothing to do with them. Undefined: not even its frame can be read.
 */
export function readPart(text: string): ReadPart | undefined {
  const lines = text
    .replaceAll(/\n[ \t]/g, '')
    .split('\n')
    .flatMap(mended)
  const whole = parsed(lines)
  if (whole) return { component: whole, lost: false }
  const lost: string[] = []
  const rest = lines.filter((line) => isFrame(line) || isReadable(line) || !lost.push(nameOf(line)))
  const hasLostEnd = lost.some((name) => /^(DTEND|DURATION)$/i.test(name))
  if (hasLostEnd) rest.splice(1, 0, `${UNREAD_END}:TRUE`)
  const component = parsed(rest)
  return component && { component, lost: lost.some((name) => TIMES.test(name)) }
}

function parsed(lines: readonly string[]): ICAL.Component | undefined {
  try {
    const read: unknown = ICAL.parse(lines.join('\n'))
    return Array.isArray(read) ? new ICAL.Component(read) : undefined
  } catch {
    return undefined
  }
}

function isReadable(line: string): boolean {
  return parsed(['BEGIN:VEVENT', line, 'END:VEVENT']) !== undefined
}

function isFrame(line: string): boolean {
  return /^(BEGIN|END):/i.test(line)
}

function nameOf(line: string): string {
  return /^[\w-]*/.exec(line)?.[0] ?? ''
}

/** The name of a zone can contain colons too, so the value begins where only dates and times follow. */
const TIME_LINE = /^(DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)(;.*?)?:(\d{4}-?\d\d-?\d\d(?!\d)[\dTZ:\-,\s]*)$/i

/** A line with dates and times as the standard has them: whole days say that they are, and the name of a zone is in quotes where it must be. */
function mended(line: string): string[] {
  if (line.trim() === '') return []
  const [, name = '', given = '', text = ''] = TIME_LINE.exec(line) ?? []
  if (!name) return [line]
  const values = text.split(',').map(compact).filter(Boolean)
  const [days, times] = [values.filter((value) => /^\d{8}$/.test(value)), values.filter((value) => !/^\d{8}$/.test(value))]
  const params = given.replace(/;VALUE=[^;:]*/i, '').replace(/;TZID=([^";]*[:,][^";]*)/i, ';TZID="$1"')
  return [
    ...(days.length > 0 ? [`${name};VALUE=DATE${params.replace(/;TZID=("[^"]*"|[^;]*)/i, '')}:${days.join(',')}`] : []),
    ...(times.length > 0 ? [`${name}${params}:${times.join(',')}`] : []),
  ]
}

/** `2026-12-01T10:00` and `20261201T1000` become `20261201T100000`. */
function compact(value: string): string {
  return value
    .replaceAll(/[-:\s]/g, '')
    .toUpperCase()
    .replace(/^(\d{8}T\d{4})(Z?)$/, '$100$2')
}
