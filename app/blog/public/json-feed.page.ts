import type { Handle } from '#app/access.server.ts'
import { fileResponse } from '#app/platform/http/file-response.server.ts'
import { FRESH_SECONDS } from './feed-links.ts'
import { jsonFeedOf } from './feed.ts'
import { newestPosts } from './feed.server.ts'

export const handle = { access: 'public', cache: { tags: ['posts'] } } satisfies Handle

export async function loader() {
  return fileResponse('application/feed+json; charset=utf-8', jsonFeedOf(await newestPosts()), FRESH_SECONDS)
}
