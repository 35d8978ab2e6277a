import type { Handle } from '#app/platform/hydration.ts'
import { feedAnswer } from './feed.server.ts'

export const handle = { kept: { tags: ['posts'] } } satisfies Handle

export function loader() {
  return feedAnswer('application/rss+xml', (feed) => feed.rss2())
}
