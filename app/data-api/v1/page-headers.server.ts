import { createHash } from 'node:crypto'
import { env } from '#app/platform/env.server.ts'

/** Increase it when the same rows are written differently. */
const WRITTEN = 2

/** The `ETag` of a response: versions never change, so the query identifies the response. */
export function tagOf(asked: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify([WRITTEN, ...asked]))
  return `"${hash.digest('base64url').slice(0, 22)}"`
}

/** The tag of the same response with gzip. */
export function gzipTagOf(tag: string): string {
  return tag.replace(/"$/, '-gzip"')
}

/** Whether `If-None-Match` names the tag. */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  return ifNoneMatch?.split(',').some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === tag) ?? false
}

/** The `Link` header to the next page: the same query with another cursor. */
export function nextLink(path: string, query: Readonly<Record<string, string | string[] | undefined>>, cursor: string): string {
  const pairs = Object.entries({ ...query, cursor }).flatMap(([name, given]) => [given ?? []].flat().map((value) => [name, value]))
  return `<${env.SITE_URL}${path}?${new URLSearchParams(pairs)}>; rel="next"`
}
