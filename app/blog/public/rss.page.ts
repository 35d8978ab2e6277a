import type { Handle } from '#app/access.server.ts'
import { fileResponse } from '#app/platform/http/file-response.server.ts'
import { FRESH_SECONDS } from './feed-links.ts'
import { rssOf } from './feed.ts'
import { newestPosts } from './feed.server.ts'

export const handle = { access: 'public', cache: { tags: ['posts'] } } satisfies Handle

export async function loader() {
  return fileResponse('application/rss+xml; charset=utf-8', rssOf(await newestPosts()), FRESH_SECONDS)
}
