import { stop } from '#app/platform/errors/stop.ts'

/** The `ETag` header of a version. */
export function entityTag(version: number): string {
  return `"${version}"`
}

/** The version that `If-Match` expects; undefined where any version is fine. */
export function expectedVersion(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(ifMatch.trim()) ?? []
  if (!version) stop('badRequest', 'If-Match is one version as ETag gave it, such as "3".', { code: 'bad_if_match' })
  return Number(version)
}
