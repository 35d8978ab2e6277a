/** `30 seconds`, `a minute`, `15 minutes`, `an hour`. Part of a minute is rounded down, unless `round` rounds it up. */
export function durationText(seconds: number, round = Math.floor): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`
  const minutes = round(seconds / 60)
  if (minutes % 60 === 0) return minutes === 60 ? 'an hour' : `${minutes / 60} hours`
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
