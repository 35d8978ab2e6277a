import { Stop } from '#app/platform/stop.ts'
import { checkRedirect } from '#app/redirects/check.server.ts'
import { redirectBody } from '#app/redirects/redirect.ts'
import { listRedirects } from '#app/redirects/redirect-list.server.ts'
import { createRedirect } from '#app/redirects/redirect.server.ts'

/** Leads an address of the old site to a post for good, unless it does already. A rule that hides a page or leads in a circle is not made: answers why. */
export async function leadToPost(oldPath: string, slug: string, dry: boolean): Promise<string | undefined> {
  const toPath = `/blog/${slug}`
  const query = oldPath.includes('?') ? 'exact' : 'pass'
  const read = redirectBody.safeParse({ fromPath: oldPath, toPath, statusCode: 301, query, description: 'The address before the import' })
  if (!read.success) return read.error.issues[0]?.message ?? 'It is no path.'
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
