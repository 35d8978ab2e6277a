import { Stop } from '#app/platform/stop.ts'
import { checkRedirect } from '#app/redirects/rules/check.server.ts'
import { redirectBody } from '#app/redirects/rules/redirect.ts'
import { listRedirects } from '#app/redirects/rules/redirect-list.server.ts'
import { createRedirect } from '#app/redirects/rules/redirect.server.ts'

/**
 * Redirects an old path to a post permanently, unless it does already. Returns the reason when the redirect would hide a page or make a
 * loop.
 */
export async function redirectToPost(oldPath: string, slug: string, dry: boolean): Promise<string | undefined> {
  const toPath = `/blog/${slug}`
  const query = oldPath.includes('?') ? 'exact' : 'pass'
  const read = redirectBody.safeParse({ fromPath: oldPath, toPath, statusCode: 301, query, description: 'The address before the import' })
  if (!read.success) return read.error.issues[0]?.message ?? 'It is not a path.'
  const isThere = (await listRedirects()).some((known) => known.fromPath === read.data.fromPath && known.toPath === toPath)
  if (isThere) return undefined
  try {
    const [problem] = await checkRedirect(read.data)
    if (problem) return problem.message
    if (!dry) await createRedirect(read.data, false)
    return undefined
  } catch (error) {
    if (error instanceof Stop) return error.data
    throw error
  }
}
