/** `30 seconds`, `a minute`, `15 minutes`, `an hour`. What is not whole minutes is never longer than it is, unless it is to be rounded up. */
export function inWords(seconds: number, round = Math.floor): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`
  const minutes = round(seconds / 60)
  if (minutes % 60 === 0) return minutes === 60 ? 'an hour' : `${minutes / 60} hours`
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
